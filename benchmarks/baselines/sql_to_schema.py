"""SQL-to-Schema: the model writes five queries; the vote of a column is the number that use it."""

from benchmarks.baselines.composing import orders_of, several
from benchmarks.baselines.writing import written
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy


class SqlToSchemaStrategy(AskingStrategy):
    """Asks for queries, and reads what they use."""

    name = "sql_to_schema"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        views = orders_of(choosing)
        with linking.ledger.step("queries"):
            used = several(choosing, views, lambda _, view: written(choosing, "queries", view))
        why = "a query of the language model uses it"
        return choosing.found(
            views[0], *((f"query {at}", query, why) for at, query in enumerate(used, start=1))
        )
