"""Strategies by name; one is imported when it is asked for."""

from importlib import import_module

from linker.errors import ConfigError
from linker.strategies.base import Strategy

__all__ = ["STRATEGIES", "Strategy", "open_strategy"]

STRATEGIES = {
    "evilink": ("linker.strategies.evilink", "EvilinkStrategy"),
    "retrieval": ("linker.strategies.retrieval", "RetrievalStrategy"),
}


def open_strategy(name: str) -> Strategy:
    """The strategy of that name."""
    if name not in STRATEGIES:
        raise ConfigError(f"there is no strategy `{name}`", hint=f"choose one of: {', '.join(sorted(STRATEGIES))}")
    module, class_name = STRATEGIES[name]
    strategy: Strategy = getattr(import_module(module), class_name)()
    return strategy
