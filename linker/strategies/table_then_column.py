"""
Tables first, then columns of these: two calls, plain or with the columns that words of the question
name.

Paper: "The Death of Schema Linking?", where it is called TCSL and HyTCSL.
"""

from linker.link.choosing import Choosing, Chosen, found_of, grounded, keyword_matches
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.strategies.base import AskingStrategy


class TableThenColumnStrategy(AskingStrategy):
    """Asks for tables, then for their columns."""

    name = "table_then_column"
    is_hybrid = False

    def find(self, question: LinkedQuestion, linking: Linking) -> Finding:
        """Columns of the two replies, and those that words of the question name."""
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
        grounding = grounded(
            1, "tables, then their columns", chosen, "chosen by the language model", reasons
        )
        seen = (("shown", view.columns), ("chosen", chosen.columns))
        return found_of(question, linking, [grounding], seen, is_voted=False)


class HybridTableThenColumnStrategy(TableThenColumnStrategy):
    """The same, with keyword matching."""

    name = "table_then_column_hybrid"
    is_hybrid = True
