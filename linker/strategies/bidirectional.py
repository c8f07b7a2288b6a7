"""
Both directions: the question is taken apart, then tables lead to columns and columns to tables, and both are joined.

Six calls: subquestions, keywords and conditions; tables, their columns; columns, their tables.
Paper: "Rethinking Schema Linking: A Context-Aware Bidirectional Retrieval Approach for Text-to-SQL".
"""

from typing import Annotated

from pydantic import Field

from linker.link.choosing import Choosing, Chosen, found_of, grounded
from linker.link.linking import Finding, Linking
from linker.link.model_questions import ModelQuestions
from linker.link.question import LinkedQuestion
from linker.link.replies import Reply
from linker.link.schema_view import schema_view
from linker.link.views import table_view
from linker.prompts.render import render_prompt
from linker.strategies.base import Strategy

_Phrase = Annotated[str, Field(max_length=500)]
_MOST_SUBQUESTIONS, _MOST_KEYWORDS, _MOST_CONDITIONS = 6, 15, 8


class SaidSubquestions(Reply):
    """Smaller questions."""

    subquestions: list[_Phrase]


class SaidKeywords(Reply):
    """Words that matter, and what rows have to meet."""

    keywords: list[_Phrase]
    conditions: list[_Phrase] = Field(default=[])


class BidirectionalStrategy(Strategy):
    """Asks from tables to columns and from columns to tables."""

    name = "bidirectional"
    needs_model = True
    has_budget = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """The union of both directions; what both chose counts for more."""
        choosing = Choosing(question, linking)
        with linking.ledger.step("augmentation"):
            hints = _hints(choosing.model, question.question)
        linking.trace.note("augmentation", hints=hints)
        tokens = linking.environment.settings.schema_tokens
        view = schema_view(question, tokens)

        def from_tables() -> Chosen:
            tables = choosing.tables("table first", view, hints=hints)
            if not tables.tables:
                return tables
            return tables + choosing.columns("table first", schema_view(question, tokens, tables.tables), hints=hints)

        def from_columns() -> Chosen:
            columns = choosing.columns("column first", view, hints=hints)
            if not columns.columns:
                return columns
            # The likeliest tables by name: those of the columns, and those that connect them.
            return columns + choosing.tables("column first", table_view(question), hints=hints, chosen=columns.columns)

        with linking.ledger.step("choosing"):
            first, second = choosing.model.together(from_tables, from_columns)
        groundings = [
            grounded(1, "from tables to their columns", first, "chosen from tables to columns"),
            grounded(2, "from columns to their tables", second, "chosen from columns to tables"),
        ]
        seen = (("shown", view.columns), ("table first", first.columns), ("column first", second.columns))
        return found_of(question, linking, groundings, seen, is_voted=True)


def _hints(asking: ModelQuestions, question: str) -> str:
    """The question taken apart, as later prompts show it; as much of it as the model said."""

    def subquestions() -> str:
        reply = asking.ask("augmentation", render_prompt("subquestions", question=question), SaidSubquestions)
        return _lines("subquestion", reply.subquestions[:_MOST_SUBQUESTIONS]) if reply else ""

    def keywords() -> str:
        reply = asking.ask("augmentation", render_prompt("keywords", question=question), SaidKeywords)
        if reply is None:
            return ""
        lines = (_lines("keywords", [", ".join(_clean(reply.keywords)[:_MOST_KEYWORDS])]),)
        return "\n".join(filter(None, (*lines, _lines("condition", reply.conditions[:_MOST_CONDITIONS]))))

    return "\n".join(filter(None, asking.together(subquestions, keywords)))


def _lines(name: str, texts: list[str]) -> str:
    return "\n".join(f"{name}: {text}" for text in _clean(texts))


def _clean(texts: list[str]) -> list[str]:
    return [text for text in (" ".join(text.split()) for text in texts) if text]
