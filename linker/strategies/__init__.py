"""
Strategies by name, each of which is imported when it is asked for, and the choice between two that
is made where none is named.

Another package may bring more: it names a class in its entry points, in the group
`linker.strategies`.
"""

from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from linker.environment import Environment
from linker.errors import ConfigError
from linker.link.answer import LinkedSchema
from linker.link.linking import Linking
from linker.link.question import LinkedQuestion
from linker.strategies.base import Strategy

__all__ = ["GROUP", "STRATEGIES", "Strategy", "open_strategy", "strategy_names"]

GROUP = "linker.strategies"
STRATEGIES = {
    "auto": ("linker.strategies", "AutoStrategy"),
    "autolink": ("linker.strategies.autolink", "AutolinkStrategy"),
    "bidirectional": ("linker.strategies.bidirectional", "BidirectionalStrategy"),
    "evilink": ("linker.strategies.evilink", "EvilinkStrategy"),
    "full_schema": ("linker.strategies.full_schema", "FullSchemaStrategy"),
    "shortlist": ("linker.strategies.shortlist", "ShortlistStrategy"),
    "table_then_column": ("linker.strategies.full_schema", "TableThenColumnStrategy"),
    "table_then_column_hybrid": (
        "linker.strategies.full_schema",
        "HybridTableThenColumnStrategy",
    ),
}


def open_strategy(name: str) -> Strategy:
    """The strategy of that name; those that ship with linker cannot be replaced."""
    if name in STRATEGIES:
        module, class_name = STRATEGIES[name]
        strategy: Strategy = getattr(import_module(module), class_name)()
        return strategy
    registered = entry_points(group=GROUP)
    if name in registered.names:
        return _opened(registered[name])
    raise ConfigError(
        f"there is no strategy `{name}`", hint=f"choose one of: {', '.join(strategy_names())}"
    )


def strategy_names() -> tuple[str, ...]:
    """All that can be chosen, those of other packages included."""
    return tuple(sorted({*STRATEGIES, *entry_points(group=GROUP).names}))


def _opened(entry: EntryPoint) -> Strategy:
    package = entry.dist.name if entry.dist else entry.value
    try:
        opened = entry.load()()
    except (ImportError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"the strategy `{entry.name}` of the package {package} cannot be opened: {error}",
            hint=f"is {package} installed whole, and made for this version of linker?",
        ) from error
    if not isinstance(opened, Strategy):
        raise ConfigError(
            f"the strategy `{entry.name}` of the package {package} is not a `linker.strategies.base.Strategy`",
            hint="docs/strategies/README.md says what a strategy is",
        )
    return opened


class AutoStrategy(Strategy):
    """Takes one of two strategies; which, and why, stands in the answer."""

    name = "auto"
    has_own_size = True

    def chosen(self, environment: Environment) -> tuple[Strategy, str]:
        """Hypotheses that a language model judges, else the shortlist."""
        if environment.model is None:
            from linker.strategies.shortlist import ShortlistStrategy

            return ShortlistStrategy(), "no language model configured"
        from linker.strategies.evilink import EvilinkStrategy

        return EvilinkStrategy(), f"language model {environment.model.name} configured"

    def answer(self, question: LinkedQuestion, linking: Linking) -> LinkedSchema:
        """The answer of the strategy that it takes."""
        return self.chosen(linking.environment)[0].answer(question, linking)
