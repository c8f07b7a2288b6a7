"""
Both directions: the question is taken apart, then tables lead to columns and columns to tables, and
both are joined.

Six calls: subquestions, keywords and conditions; tables, their columns; columns, their tables.
Paper: "Rethinking Schema Linking: A Context-Aware Bidirectional Retrieval Approach for
Text-to-SQL".
"""

from benchmarks.baselines.augmenting import taken_apart
from benchmarks.baselines.composing import AskingStrategy, found, schema_of, together
from benchmarks.baselines.prompting import telling
from benchmarks.baselines.stepwise.views import table_view
from linker.link.choosing import Choosing, Chosen
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.text.safe import spelled


class BidirectionalStrategy(AskingStrategy):
    """Asks from tables to columns and from columns to tables."""

    name = "bidirectional"

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """The union of both directions; what both chose counts for more."""
        choosing = Choosing(asked, linking)
        with linking.ledger.step("augmentation"):
            hints = taken_apart(choosing.model, asked.question)
        view = schema_of(choosing)
        pick_tables, pick_columns = (
            telling("told_tables", hints=hints),
            telling("told_columns", hints=hints),
        )

        def from_tables() -> Chosen:
            tables = choosing.tables("table first", view, render=pick_tables)
            if not tables.tables:
                return tables
            return tables + choosing.columns(
                "table first", schema_of(choosing, tables.tables), render=pick_columns
            )

        def from_columns() -> Chosen:
            columns = choosing.columns("column first", view, render=pick_columns)
            if not columns.columns:
                return columns
            # The likeliest tables by name: those of the columns, and those that connect them.
            held = telling(
                "told_tables", hints=hints, chosen="\n".join(map(spelled, columns.columns))
            )
            return columns + choosing.tables("column first", table_view(asked), render=held)

        with linking.ledger.step("choosing"):
            first, second = together(choosing.model, from_tables, from_columns)
        ways = (
            ("table first", first, "chosen from tables to columns"),
            ("column first", second, "chosen from columns to tables"),
        )
        return found(choosing, view, *ways)
