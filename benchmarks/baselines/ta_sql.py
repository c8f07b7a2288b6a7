"""
TA-SQL: the model writes a dummy query; columns of its tables whose name occurs in it are linked.
One call.
"""

from itertools import chain

from benchmarks.baselines.writing import written
from linker.linking.column_selection_prompt import Choosing, Chosen
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy


class TaSqlStrategy(AskingStrategy):
    """Asks for one query, and takes the names of it."""

    name = "ta_sql"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("dummy query"):
            used = written(choosing, "dummy query", view)
        names = {ref.path.casefold() for ref in used.columns}
        tables = (asked.catalog.table_by_ref[ref] for ref in used.all_tables)
        refs = chain.from_iterable(table.column_refs for table in tables)
        named = tuple(ref for ref in refs if ref.path.casefold() in names)
        chosen = used + Chosen(columns=named)
        return choosing.found(
            view, ("entities", chosen, "its name stands in a query of the language model")
        )
