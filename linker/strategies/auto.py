"""
The whole schema where a model is set and all of it fits, linking by hypotheses everywhere else.

The finding of "The Death of Schema Linking?": whatever linking leaves out may be missed, so what fits is not linked.
Which was taken, and why, stands in the answer.
"""

from linker.environment import Environment
from linker.strategies.base import Strategy
from linker.strategies.evilink import EvilinkStrategy
from linker.strategies.full_schema import FullSchemaStrategy, most_tokens, size_of


class AutoStrategy:
    """Takes one of two strategies; which, and why, stands in the answer."""

    def choose(self, environment: Environment) -> tuple[Strategy, str]:
        """The whole schema where a model reads all of it, else linking by hypotheses."""
        if environment.model is None:
            return EvilinkStrategy(), "auto: no language model is set"
        most = most_tokens(environment.settings)
        size = environment.derive(size_of, most)
        if size.is_least or size.tokens > most:
            return EvilinkStrategy(), f"auto: the whole schema has {size}, and `schema_tokens` allows {most:,}"
        return (
            FullSchemaStrategy(),
            f"auto: the whole schema has {size} and fits into the {most:,} of `schema_tokens`",
        )
