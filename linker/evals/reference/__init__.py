"""Easy methods to compare with: they are no part of the product, and nobody should link with them."""

from linker.errors import ConfigError
from linker.strategies import STRATEGIES, Strategy, open_strategy

REFERENCES = ("bm25", "dense", "rank-fusion", "whole-tables")


def open_any(name: str) -> Strategy:
    """A strategy of the product, or a reference."""
    if name in STRATEGIES:
        return open_strategy(name)
    from linker.evals.reference.strategies import METHODS, Reference

    for method in METHODS:
        if method.name == name:
            return Reference(method)
    raise ConfigError(
        f"there is no strategy `{name}`", hint=f"choose one of: {', '.join((*sorted(STRATEGIES), *REFERENCES))}"
    )
