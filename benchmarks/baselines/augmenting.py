"""
Takes a question apart before anything of a schema is shown: enters a question, leave texts for
later prompts.
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from benchmarks.baselines.composing import together
from benchmarks.baselines.prompting import render_prompt
from linker.link.model_questions import ModelQuestions
from linker.link.replies import Reply

_Phrase = Annotated[str, Field(max_length=500)]
_MOST_SUBQUESTIONS, _MOST_KEYWORDS, _MOST_CONDITIONS = 6, 15, 8


class QuestionsReply(Reply):
    """Other questions: smaller ones, or the same in other words."""

    questions: list[_Phrase]


class KeywordsReply(Reply):
    """Words that matter, and what rows have to meet."""

    keywords: list[_Phrase]
    conditions: list[_Phrase] = Field(default=[])


def taken_apart(model: ModelQuestions, question: str) -> str:
    """
    The smaller questions, keywords and conditions of a question, as later prompts show them; two
    calls.
    """

    def subquestions() -> str:
        reply = model.ask(
            "augmentation", render_prompt("subquestions", question=question), QuestionsReply
        )
        return _lines("subquestion", reply.questions[:_MOST_SUBQUESTIONS]) if reply else ""

    def keywords() -> str:
        found, conditions = keywords_of(model, question)
        return "\n".join(
            filter(None, (_lines("keywords", [", ".join(found)]), _lines("condition", conditions)))
        )

    return "\n".join(filter(None, together(model, subquestions, keywords)))


def keywords_of(model: ModelQuestions, question: str) -> tuple[list[str], list[str]]:
    """The words that matter and the conditions; none where the model gives none."""
    reply = model.ask("augmentation", render_prompt("keywords", question=question), KeywordsReply)
    if reply is None:
        return [], []
    return _clean(reply.keywords)[:_MOST_KEYWORDS], _clean(reply.conditions)[:_MOST_CONDITIONS]


def _lines(name: str, texts: Iterable[str]) -> str:
    return "\n".join(f"{name}: {text}" for text in _clean(texts))


def _clean(texts: Iterable[str]) -> list[str]:
    return [text for text in (" ".join(text.split()) for text in texts) if text]
