"""
Tables first, then columns of these: two calls, plain or with the columns that words of the question
name.

Paper: "The Death of Schema Linking?", where it is called TCSL and HyTCSL.
"""

from linker.link.choosing import Choosing, Chosen, found_of, grounded, keyword_matches
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.strategies.base import FindingStrategy


class TableThenColumnStrategy(FindingStrategy):
    """Asks for tables, then for their columns."""

    name = "table_then_column"
    needs_model = True
    has_budget = False
    is_hybrid = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """Columns of the two replies, and those that words of the question name."""
        choosing = Choosing(question, linking)
        tokens = linking.environment.settings.schema_tokens
        with linking.ledger.step("tables"):
            view = schema_view(question, tokens)
            tables = choosing.tables("tables", view)
        with linking.ledger.step("columns"):
            columns = (
                choosing.columns("columns", schema_view(question, tokens, tables.tables))
                if tables.tables
                else tables
            )
        matched = keyword_matches(question) if self.is_hybrid else {}
        reasons = {ref: why for ref, why in matched.items() if ref not in columns.columns}
        chosen = tables + columns + Chosen(columns=tuple(matched))
        grounding = grounded(
            1, "tables, then their columns", chosen, "chosen by the language model", reasons
        )
        seen = (("shown", view.columns), ("chosen", chosen.columns))
        return found_of(question, linking, [grounding], seen, is_voted=False)


class HybridTableThenColumnStrategy(TableThenColumnStrategy):
    """The same, with keyword matching."""

    name = "table_then_column_hybrid"
    is_hybrid = True
