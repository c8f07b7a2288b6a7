"""
Several prompts: the model chooses columns five times, each time of a schema in another order and with another look.

What it chose each time is merged, and how often it did is the vote. The idea is that of MCS-SQL: a model is sensitive
to the order of what it reads, so the orders together find more than each of them.
"""

from collections.abc import Callable
from functools import partial

from benchmarks.baselines.prompting import render_prompt
from linker.link.choosing import Choosing, found_of, grounded
from linker.link.linking import Finding, Linking
from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.models import Prompt
from linker.strategies.base import Strategy

ORDERS = 5
_LOOKS = (
    "begun with what the answer shows",
    "begun with the conditions",
    "begun with the keys",
    "begun with measures and groups",
    "begun with time and place",
)


def _begun_with(look: int) -> Callable[..., Prompt]:
    return partial(render_prompt, "pick_columns_by_look", look=look)


class McsStrategy(Strategy):
    """Asks the same in five ways."""

    name = "mcs"
    needs_model = True
    has_budget = False

    def find(self, asked: LinkedQuestion, linking: Linking) -> Finding:
        """All that was chosen, with how often."""
        choosing = Choosing(asked, linking)
        views = [schema_view(asked, linking.environment.settings.schema_tokens, turned=at) for at in range(ORDERS)]
        with linking.ledger.step("columns"):
            chosen = choosing.model.together(
                *(
                    lambda look=look, view=view: choosing.columns("columns", view, render=_begun_with(look))
                    for look, view in enumerate(views, start=1)
                )
            )
        groundings = [
            grounded(number, look, one, "chosen by the language model")
            for number, (look, one) in enumerate(zip(_LOOKS, chosen, strict=True), start=1)
        ]
        seen = (("shown", views[0].columns), *((f"prompt {n}", one.columns) for n, one in enumerate(chosen, 1)))
        return found_of(asked, linking, groundings, seen, is_voted=True)
