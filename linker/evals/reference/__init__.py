"""Easy methods to compare with: they are no part of the product, and nobody should link with them."""

from linker.errors import ConfigError
from linker.strategies import Strategy, open_strategy, strategy_names

REFERENCES = ("bm25", "rank-fusion", "whole-tables")


def open_any(name: str) -> Strategy:
    """A strategy of the product or of another package, or a reference."""
    if name not in REFERENCES:
        try:
            return open_strategy(name)
        except ConfigError as error:
            if name in strategy_names():
                raise
            raise ConfigError(error.what, hint=f"{error.hint}, {', '.join(REFERENCES)}") from None
    from linker.evals.reference.strategies import METHODS, Reference

    return Reference(next(method for method in METHODS if method.name == name))
