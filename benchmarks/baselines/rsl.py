"""
RSL-SQL: the union of columns that the model selects (forward) and those its query uses (backward).
Two calls.
"""

from benchmarks.baselines.writing import written
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy


class RslStrategy(AskingStrategy):
    """Asks for columns and for a query."""

    name = "rsl"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        view = choosing.schema()
        with linking.ledger.step("linking"):
            forward, backward = choosing.model.together(
                lambda: choosing.columns("forward", view),
                lambda: written(choosing, "backward", view),
            )
        chosen = ("forward", forward, "chosen by the language model")
        return choosing.found(
            view, chosen, ("backward", backward, "a query of the language model uses it")
        )
