"""Out-of-scope questions are refused, and no answerable one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from linker.config.settings import load_settings
from linker.demo.questions import demo_questions
from linker.environment import Environment
from linker.ranking.answerability import check_answerable
from linker.ranking.lexical_match import retrieval_signals
from linker.ranking.ranker import rank, read_question
from linker.ranking.weights import read_weights

FOREIGN = (
    "Which opera singers performed at La Scala in the role of Tosca?",
    "How many penguins hatched in the Antarctic colony?",
    "Which violinists played at the wedding of the duchess?",
)

Denied = Callable[[str], bool]


@pytest.fixture(scope="module")
def is_denied(demo: object, linker_folder: Path) -> Iterator[Denied]:
    """Whether a question is denied in the demo that was built."""
    assert demo
    with Environment(
        load_settings({"state_dir": linker_folder / ".linker", "target": "demo"}, {})
    ) as parts:

        def denied(question: str) -> bool:
            read = read_question(question, parts)
            ranked = rank(question, read.index, read_weights(), retrieval_signals(read.retrieved))
            return check_answerable(ranked).is_out_of_scope

        yield denied


def test_no_question_with_an_answer_is_refused(is_denied: Denied) -> None:
    answerable = [one.question for one in demo_questions() if one.kind != "unanswerable"]
    assert len(answerable) == 50
    assert [question for question in answerable if is_denied(question)] == []


@pytest.mark.parametrize("question", FOREIGN)
def test_a_question_about_something_else_altogether_is_denied(
    is_denied: Denied, question: str
) -> None:
    assert is_denied(question)
