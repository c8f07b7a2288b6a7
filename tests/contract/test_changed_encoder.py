"""An index made with another encoder is rebuilt, with a message."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from linker import pipeline
from linker.config.settings import Settings
from linker.embedders.offline import OfflineEmbedder
from linker.environment import Environment
from linker.errors import StoreError
from linker.refresh.pipelines import index
from linker.refresh.steps import without_progress
from linker.types import ProgressStage

QUESTION = "Which customers ordered most?"
SENTENCE = (
    "; all embedded again: the embedding model was all-MiniLM-L6-v2 and is all-MiniLM-L6-v2-int8"
)


class EncoderOfBefore(OfflineEmbedder):
    """One whose vectors lie under another name."""

    name = "all-MiniLM-L6-v2"


@pytest.fixture
def made_before(settings: Settings) -> None:
    with Environment(settings) as environment:
        environment.parts["embedder"] = EncoderOfBefore()
        index(environment)


def summary_of_index(settings: Settings) -> str:
    """The line of the stage, and so what a person reads at its end."""
    summaries = list[str]()

    @contextmanager
    def stages(step: str) -> Iterator[ProgressStage]:
        with without_progress(step) as stage:
            yield stage
            summaries.append(stage.summary)

    with Environment(settings) as environment:
        index(environment, stages)
    [summary] = summaries
    return summary


@pytest.mark.usefixtures("made_before")
def test_a_question_to_it_is_refused_with_the_encoder_it_was_made_with_and_the_command(
    settings: Settings,
) -> None:
    with Environment(settings) as environment, pytest.raises(StoreError) as caught:
        pipeline.ask(QUESTION, environment)
    assert str(caught.value) == (
        "no index for target `dev` with the embedding model all-MiniLM-L6-v2-int8, "
        "only with all-MiniLM-L6-v2"
    )
    assert caught.value.hint == "linker index"


@pytest.mark.usefixtures("made_before")
def test_the_next_index_embeds_everything_anew_and_says_why_once(settings: Settings) -> None:
    first, second = summary_of_index(settings), summary_of_index(settings)
    assert first.endswith(f" embedded, 0 unchanged, 0 removed{SENTENCE}")
    assert not first.startswith("0 ")
    assert second.startswith("0 embedded")
    assert SENTENCE not in second
    with Environment(settings) as environment:
        assert pipeline.ask(QUESTION, environment).tables


def test_a_first_index_says_nothing_of_encoders(settings: Settings) -> None:
    assert summary_of_index(settings).endswith(" embedded, 0 unchanged, 0 removed")
