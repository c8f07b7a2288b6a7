"""
Guards how many of the demo's questions without an answer are recognised, and how many others are denied for it.

The demo's own questions were learned from, so what is guarded here is that nothing falls apart; what carries over to
other warehouses is in benchmarks/README.md.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from linker.config import load_settings
from linker.demo.questions import demo_questions
from linker.environment import Environment
from linker.ranking.answerable import assess
from linker.ranking.matching import signals_of
from linker.ranking.ranker import rank
from linker.ranking.reading import read_question
from linker.ranking.weights import read_weights

LEAST_RECOGNISED = 3
# Measured on a twentieth of the rows; with all of them it is two, the one in twenty that the limits were set for.
MOST_FALSE_ALARMS = 4
FOREIGN = (
    "Which opera singers performed at La Scala in the role of Tosca?",
    "How many penguins hatched in the Antarctic colony?",
    "What is the melting point of tungsten?",
)

Denied = Callable[[str], bool]


@pytest.fixture(scope="module")
def is_denied(demo: object, linker_folder: Path) -> Iterator[Denied]:
    """Whether a question is denied in the demo that was built."""
    assert demo
    with Environment(load_settings({"state_dir": linker_folder / ".linker", "target": "demo"}, {})) as parts:

        def denied(question: str) -> bool:
            read = read_question(question, parts)
            ranked = rank(question, read.known, read_weights(), signals_of(read.retrieved))
            return not assess(ranked).is_answerable

        yield denied


def test_questions_without_an_answer_are_recognised_as_often_as_before(is_denied: Denied) -> None:
    without = [one.question for one in demo_questions() if one.kind == "unanswerable"]
    assert len(without) == 10
    assert sum(map(is_denied, without)) >= LEAST_RECOGNISED


def test_hardly_any_question_with_an_answer_is_denied(is_denied: Denied) -> None:
    answerable = [one.question for one in demo_questions() if one.kind != "unanswerable"]
    assert len(answerable) == 50
    assert sum(map(is_denied, answerable)) <= MOST_FALSE_ALARMS


@pytest.mark.parametrize("question", FOREIGN)
def test_a_question_about_something_else_altogether_is_denied(is_denied: Denied, question: str) -> None:
    assert is_denied(question)
