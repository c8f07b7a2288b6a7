"""Questions to the demo warehouse, with their gold SQL."""

from functools import cache
from importlib import resources
from typing import Literal

import yaml

from linker.types import Record

Kind = Literal["plain", "value", "bridge", "two_answers", "unanswerable"]


class DemoQuestion(Record, frozen=True):
    """
    A question; each gold statement is a correct answer. An unanswerable one has none, and says what
    is missing.
    """

    key: str
    question: str
    kind: Kind
    gold_sql: tuple[str, ...] = ()
    missing: str | None = None
    in_tour: bool = False


@cache
def demo_questions() -> tuple[DemoQuestion, ...]:
    """All questions, in file order."""
    text = resources.files("linker.demo").joinpath("questions.yml").read_text("utf-8")
    return tuple(
        DemoQuestion(**{**entry, "gold_sql": tuple(entry.get("gold_sql", ()))})
        for entry in yaml.safe_load(text)
    )


def tour_questions() -> tuple[DemoQuestion, ...]:
    """The three questions of `linker demo`."""
    return tuple(question for question in demo_questions() if question.in_tour)
