"""
MCS-SQL: selects columns from five prompts with different order and format; the vote is the number
of selections.

Models are sensitive to prompt order, so the union finds more than any single order.
"""

from benchmarks.baselines.composing import orders_of, several
from benchmarks.baselines.prompting import telling
from linker.linking.column_selection_prompt import Choosing
from linker.linking.linking import LinkSession, StrategyResult
from linker.linking.value_linking import LinkedQuestion
from linker.strategies import AskingStrategy

_LOOKS = (
    "begun with what the answer shows",
    "begun with the conditions",
    "begun with the keys",
    "begun with measures and groups",
    "begun with time and place",
)


class McsStrategy(AskingStrategy):
    """Asks the same in five ways."""

    name = "mcs"

    def find(self, asked: LinkedQuestion, linking: LinkSession) -> StrategyResult:
        choosing = Choosing(asked, linking)
        views = orders_of(choosing, answers=len(_LOOKS))
        with linking.ledger.step("columns"):
            chosen = several(
                choosing,
                views,
                lambda look, view: choosing.columns(
                    "columns", view, render=telling("pick_columns_by_look", look=look)
                ),
            )
        ways = (
            (look, answer, "chosen by the language model")
            for look, answer in zip(_LOOKS, chosen, strict=True)
        )
        return choosing.found(views[0], *ways)
