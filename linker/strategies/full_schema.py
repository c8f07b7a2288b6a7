"""
The whole schema as the answer: nothing is left out, so nothing that is needed can be missing.

Paper: "The Death of Schema Linking?": a model that reads all of it well needs no linking, where all
of it fits. What fits is the setting `schema_tokens`; of a larger schema the likeliest columns are
given, and it is said.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from linker.catalog.facts import SURE_ENOUGH, Facts, KeyPair
from linker.link.choosing import Chosen, found_of, grounded
from linker.link.linking import Finding, Linking
from linker.link.mschema import most_tokens, size_of
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.strategies.base import FindingStrategy
from linker.types import ColumnRef, TableRef


class FullSchemaStrategy(FindingStrategy):
    """Gives every table and column, as far as they fit; asks no model."""

    name = "full_schema"
    has_budget = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """All columns, with all joins that were declared or surely measured."""
        most = most_tokens(linking.environment.settings)
        with linking.ledger.step("size"):
            size = linking.environment.derive(size_of, most)
            is_whole = size.tokens <= most and not size.is_least
            every = (
                ColumnRef(table.ref, each.path)
                for table in question.catalog.tables
                for each in table.columns
            )
            columns = tuple(every) if is_whole else schema_view(question, most).columns
        if not is_whole:
            linking.warn(
                f"the whole schema has {size}, and `schema_tokens` allows {most:,}: "
                f"the likeliest {len(columns):,} of {question.catalog.column_count:,} columns are given"
            )
        why = "the whole schema is given" if is_whole else "among the likeliest columns that fit"
        grounding = grounded(1, "the whole schema", Chosen(columns=columns), why)
        found = found_of(question, linking, [grounding], (("shown", columns),), is_voted=False)
        return replace(found, joins=_joins(question.facts, grounding.tables))


def _joins(facts: Facts, tables: Sequence[TableRef]) -> tuple[KeyPair, ...]:
    inside = set(tables)
    return tuple(
        pair
        for pair in facts.joins
        if pair.confidence >= SURE_ENOUGH and {pair.left, pair.right} <= inside
    )
