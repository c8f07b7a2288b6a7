"""Linking by hypotheses where a language model is set, the shortlist where none is; the answer says which."""

from linker.environment import Environment
from linker.strategies.base import Strategy, WholeStrategy


class AutoStrategy:
    """Takes one of two strategies; which, and why, stands in the answer."""

    has_own_size = True

    def choose(self, environment: Environment) -> tuple[Strategy | WholeStrategy, str]:
        """Hypotheses that a language model judges, else the shortlist."""
        if environment.model is None:
            from linker.strategies.shortlist import ShortlistStrategy

            because = "auto: no language model is set, so nothing is decided"
            return ShortlistStrategy(because), because
        from linker.strategies.evilink import EvilinkStrategy

        return EvilinkStrategy(), f"auto: the language model {environment.model.name} is set"
