"""
Forward and backward: the model chooses columns, and it writes a query; what either needs is taken.

The idea is that of RSL-SQL: what is chosen by looking and what is used by writing miss different things. Two calls.
"""

from benchmarks.baselines.writing import written
from linker.link.choosing import Choosing, found_of, grounded
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.strategies.base import Strategy


class RslStrategy(Strategy):
    """Asks for columns and for a query."""

    name = "rsl"
    needs_model = True
    has_budget = False

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """The union; what both need counts for more."""
        choosing = Choosing(asked, linking)
        view = schema_view(asked, linking.environment.settings.schema_tokens)
        with linking.ledger.step("linking"):
            forward, backward = choosing.model.together(
                lambda: choosing.columns("forward", view), lambda: written(choosing, "backward", view)
            )
        groundings = [
            grounded(1, "forward: chosen from the schema", forward, "chosen by the language model"),
            grounded(2, "backward: used by a query", backward, "a query of the language model uses it"),
        ]
        seen = (("shown", view.columns), ("forward", forward.columns), ("backward", backward.columns))
        return found_of(asked, linking, groundings, seen, is_voted=True)
