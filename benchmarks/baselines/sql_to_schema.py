"""
From SQL to the schema: the model writes the query five times, and what these queries use is what the question needs.

The idea is that of SQL-to-Schema. The model answers the same to the same prompt, so each sample reads the schema in
another order; how many queries use a column is its vote.
"""

from benchmarks.baselines.writing import written
from linker.link.choosing import Choosing, found_of, grounded
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.strategies.base import Strategy

SAMPLES = 5


class SqlToSchemaStrategy(Strategy):
    """Asks for queries, and reads what they use."""

    name = "sql_to_schema"
    needs_model = True
    has_budget = False

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """All that any query uses, with how many do."""
        choosing = Choosing(asked, linking)
        views = [schema_view(asked, linking.environment.settings.schema_tokens, turned=at) for at in range(SAMPLES)]
        with linking.ledger.step("queries"):
            used = choosing.model.together(*(lambda view=view: written(choosing, "queries", view) for view in views))
        groundings = [
            grounded(number, f"query {number}", one, "a query of the language model uses it")
            for number, one in enumerate(used, start=1)
        ]
        seen = (("shown", views[0].columns), *((f"query {n}", one.columns) for n, one in enumerate(used, start=1)))
        return found_of(asked, linking, groundings, seen, is_voted=True)
