"""
The strategies `full_schema` and `table_then_column`.

`full_schema` returns every column if the schema fits the setting `schema_tokens`, else the most
relevant columns with a note. `table_then_column` takes two calls, plain or with the columns that
match question terms.

Paper: "The Death of Schema Linking?", where the latter are called TCSL and HyTCSL.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from linker.catalog.column_metadata import SURE_ENOUGH, Facts, KeyPair
from linker.linking.column_selection_prompt import (
    Choosing,
    Chosen,
    keyword_matches,
    make_grounding,
    to_strategy_result,
)
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.mschema import most_tokens, size_of
from linker.linking.prompt_sections import schema_view
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy, CoreStrategy
from linker.types import TableRef


class FullSchemaStrategy(CoreStrategy):
    """Returns the whole schema if it fits; uses no model."""

    name = "full_schema"
    has_budget = False

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """All columns, with declared and confidently measured joins."""
        most = most_tokens(linking.environment.settings)
        with linking.ledger.step("size"):
            size = linking.environment.derive(size_of, most)
            is_whole = size.tokens <= most and not size.is_least
            columns = (
                tuple(question.catalog.column_refs)
                if is_whole
                else schema_view(question, most).columns
            )
        if not is_whole:
            linking.warn(
                f"the whole schema has {size}, and `schema_tokens` allows {most:,}: the answer "
                f"has the {len(columns):,} most relevant of {question.catalog.column_count:,} "
                "columns"
            )
        why = "part of the whole schema" if is_whole else "among the most relevant columns that fit"
        grounding = make_grounding(1, "the whole schema", Chosen(columns=columns), why)
        result = to_strategy_result(
            question, linking, [grounding], (("shown", columns),), is_voted=False
        )
        return replace(result, joins=_joins(question.facts, grounding.tables))


def _joins(facts: Facts, tables: Sequence[TableRef]) -> tuple[KeyPair, ...]:
    inside = set(tables)
    return tuple(
        pair
        for pair in facts.joins
        if pair.confidence >= SURE_ENOUGH and {pair.left, pair.right} <= inside
    )


class TableThenColumnStrategy(AskingStrategy):
    """Selects tables, then columns."""

    name = "table_then_column"
    is_hybrid = False

    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        """Columns of both replies, and keyword matches."""
        choosing = Choosing(question, linking)
        with linking.ledger.step("tables"):
            view = choosing.schema()
            tables = choosing.tables("tables", view)
        columns = Chosen()
        with linking.ledger.step("columns"):
            if tables.tables:
                columns = choosing.columns("columns", choosing.schema(tables.tables))
        matched = keyword_matches(question) if self.is_hybrid else {}
        reasons = {ref: why for ref, why in matched.items() if ref not in columns.columns}
        chosen = tables + columns + Chosen(columns=tuple(matched))
        grounding = make_grounding(
            1, "tables, then their columns", chosen, "chosen by the language model", reasons
        )
        seen = (("shown", view.columns), ("chosen", chosen.columns))
        return to_strategy_result(question, linking, [grounding], seen, is_voted=False)


class HybridTableThenColumnStrategy(TableThenColumnStrategy):
    """Adds keyword matching."""

    name = "table_then_column_hybrid"
    is_hybrid = True
