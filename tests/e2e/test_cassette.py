"""Demo questions with recorded model replies, and their stored outcomes."""

import subprocess
import warnings
from pathlib import Path

import pytest

from benchmarks.recorded_replies.__main__ import ReplayServer
from benchmarks.recorded_replies.cassette import Cassette
from benchmarks.recorded_replies.demo import CASSETTE, HOW, QUESTIONS, Figures, read_figures, replay

# So few that a change of some prompts is tolerated; a change of all of them needs a new recording.
LEAST = 4


# A warning is no error here: it names what changed, and the others are compared.
@pytest.mark.filterwarnings("default:.* questions of the cassette replay")
def test_at_least_four_questions_replay_and_give_the_recall_columns_calls_and_sql_that_are_written_down(
    demo: "subprocess.CompletedProcess[str]",
    linker_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert demo.returncode == 0, demo.stderr
    written = {question: figures for question, figures in read_figures().items() if figures}
    assert len(written) >= LEAST, (
        f"of {len(QUESTIONS)} questions {len(written)} are left in the cassette; {HOW}"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    replies = ReplayServer(Cassette(CASSETTE))
    found = replay(replies, linker_folder / ".linker", tmp_path)
    replayed = {
        question: figures for question, figures in found.items() if figures and question in written
    }
    lost = ", ".join(question for question in written if question not in replayed)
    told = f"{len(replayed)} of {len(written)} questions of the cassette replay; no reply to a prompt of: {lost}; {HOW}"
    if lost:
        warnings.warn(told, stacklevel=1)
    assert len(replayed) >= LEAST, (
        f"{told}; without a model `make cassette` writes down that they are lost"
    )
    assert replayed == {question: written[question] for question in replayed}


def test_what_is_written_down_is_complete_and_right() -> None:
    written = [figures for figures in read_figures().values() if figures]
    answerable = [figures for figures in written if figures.refused is False]
    assert all(isinstance(figures, Figures) for figures in written)
    assert sum(figures.complete or False for figures in answerable) >= 0.9 * len(answerable)
