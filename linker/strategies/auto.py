"""
Linking by hypotheses where a language model is set, the shortlist where none is; the answer says
which.
"""

from linker.environment import Environment
from linker.link.answer import LinkedSchema
from linker.link.linking import Linking
from linker.link.question import LinkedQuestion
from linker.strategies.base import Strategy


class AutoStrategy(Strategy):
    """Takes one of two strategies; which, and why, stands in the answer."""

    name = "auto"
    has_own_size = True

    def chosen(self, environment: Environment) -> tuple[Strategy, str]:
        """Hypotheses that a language model judges, else the shortlist."""
        if environment.model is None:
            from linker.strategies.shortlist import ShortlistStrategy

            return ShortlistStrategy(), "auto: no language model is set, so nothing is decided"
        from linker.strategies.evilink import EvilinkStrategy

        return EvilinkStrategy(), f"auto: the language model {environment.model.name} is set"

    def answer(self, question: LinkedQuestion, linking: Linking) -> LinkedSchema:
        """The answer of the strategy that it takes."""
        return self.chosen(linking.environment)[0].answer(question, linking)
