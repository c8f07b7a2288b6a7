"""
TA-SQL: the model writes a dummy query; columns of its tables whose name occurs in it are linked.
One call.
"""

from benchmarks.baselines.writing import written
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy
from linker.types import ColumnRef


class TaSqlStrategy(AskingStrategy):
    """Asks for one query, and takes the names of it."""

    name = "ta_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("dummy query"):
            used = written(choosing, "dummy query", view)
        names = {ref.path.casefold() for ref in used.columns}
        named = (
            ColumnRef(table, column.path)
            for table in used.all_tables
            for column in asked.catalog.table_by_ref[table].columns
            if column.path.casefold() in names
        )
        chosen = used + Chosen(columns=tuple(named))
        return choosing.found(
            view, ("entities", chosen, "its name stands in a query of the language model")
        )
