"""
Bidirectional linking: table-first and column-first selection, merged.

Six calls: subquestions, keywords and conditions; tables, their columns; columns, their tables.

Paper: "Rethinking Schema Linking: A Context-Aware Bidirectional Retrieval Approach for
Text-to-SQL".
"""

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from pydantic import Field

from linker.linking.actions import Reply
from linker.linking.column_selection_prompt import Choosing, Chosen, table_view
from linker.linking.linking import LinkSession, ModelQuestions, StrategyResult
from linker.linking.prompt_sections import View
from linker.linking.value_linking import LinkedQuestion
from linker.prompts import render_prompt
from linker.strategies import AskingStrategy
from linker.text.escaping import escape_invisible

_Phrase = Annotated[str, Field(max_length=500)]
_MAX_SUBQUESTIONS = 6
_MAX_KEYWORDS = 15
_MAX_CONDITIONS = 8


class QuestionsReply(Reply):
    """Sub-questions or paraphrases."""

    questions: list[_Phrase]


class KeywordsReply(Reply):
    """Keywords and row conditions."""

    keywords: list[_Phrase]
    conditions: list[_Phrase] = Field(default=[])


class BidirectionalStrategy(AskingStrategy):
    """Combines both directions."""

    name = "bidirectional"

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """The union; columns chosen in both directions rank higher."""
        choosing = Choosing(question, linking)
        with linking.ledger.step("augmentation"):
            hints = _taken_apart(choosing.model, question.question)
        with linking.ledger.step("choosing"):
            view = choosing.schema()
            first, second = choosing.model.together(
                partial(_table_first, choosing, view, hints),
                partial(_column_first, choosing, view, hints),
            )
        return choosing.found(
            view,
            ("table first", first, "chosen from tables to columns"),
            ("column first", second, "chosen from columns to tables"),
        )


def _table_first(choosing: Choosing, view: View, hints: str) -> Chosen:
    tables = choosing.tables("table first", view, hints=hints)
    if not tables.tables:
        return tables
    inside = choosing.schema(tables.tables)
    return tables + choosing.columns("table first", inside, hints=hints)


def _column_first(choosing: Choosing, view: View, hints: str) -> Chosen:
    columns = choosing.columns("column first", view, hints=hints)
    if not columns.columns:
        return columns
    # Most relevant tables by name: those of the columns, and those connecting them.
    tables = table_view(choosing.question)
    chosen = "\n".join(map(escape_invisible, columns.columns))
    return columns + choosing.tables("column first", tables, hints=hints, chosen=chosen)


def _taken_apart(model: ModelQuestions, question: str) -> str:
    """Sub-questions, keywords and conditions for later prompts; two calls."""
    subquestions, (keywords, conditions) = model.together(
        partial(_subquestions_of, model, question), partial(keywords_of, model, question)
    )
    lines = [f"subquestion: {item}" for item in subquestions]
    if keywords:
        lines.append(f"keywords: {', '.join(keywords)}")
    return "\n".join([*lines, *(f"condition: {item}" for item in conditions)])


def _subquestions_of(model: ModelQuestions, question: str) -> list[str]:
    prompt = render_prompt("subquestions", question=question)
    reply = model.ask("augmentation", prompt, QuestionsReply)
    return _clean(reply.questions[:_MAX_SUBQUESTIONS]) if reply else []


def keywords_of(model: ModelQuestions, question: str) -> tuple[list[str], list[str]]:
    """Keywords and conditions; empty if the model gives none."""
    prompt = render_prompt("keywords", question=question)
    reply = model.ask("augmentation", prompt, KeywordsReply)
    if reply is None:
        return [], []
    return _clean(reply.keywords)[:_MAX_KEYWORDS], _clean(reply.conditions)[:_MAX_CONDITIONS]


def _clean(texts: Iterable[str]) -> list[str]:
    lines = (" ".join(text.split()) for text in texts)
    return [line for line in lines if line]
