"""
Interface of strategies, and the registry that imports them by name.

`linker/pipeline.py` analyses and ranks the question, a strategy answers it; `auto` is the default.
Other packages register strategies in the entry point group `linker.strategies`.
"""

from abc import ABC, abstractmethod
from importlib import import_module

from linker.config.installed import opening, plugins
from linker.environment import Environment
from linker.errors import ConfigError
from linker.linking.linking import LinkSession, StrategyResult, close_finding, conclude_finding
from linker.linking.result import LinkedSchema
from linker.linking.value_linking import LinkedQuestion


class Strategy(ABC):
    """A stateless, thread-safe linking method for an analysed and ranked question."""

    name: str
    needs_model = False
    needs_reranker = False
    # Whether the column budget limits the answer; otherwise evaluations run once.
    has_budget = True
    # Whether a size is chosen without a budget; then evaluations run that, too.
    has_own_size = False
    # Whether the cross-encoder reranks before.
    rereads = True

    def chosen(self, environment: Environment) -> "tuple[Strategy, str]":  # noqa: ARG002 - a rule looks at it
        """The strategy to run with a reason: itself, except for `auto`."""
        return self, ""

    @abstractmethod
    def answer(self, question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
        """The linked schema; its last trace event is `end`."""


class CoreStrategy(Strategy):
    """A strategy that returns groundings; joins and completion are shared code."""

    @abstractmethod
    def find(self, question: LinkedQuestion, linking: LinkSession) -> StrategyResult: ...

    def answer(self, question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
        """Completes what `find` returned."""
        finding = self.find(question, linking)
        closure = close_finding(question, finding, linking)
        return conclude_finding(question, finding, closure, linking)


class AskingStrategy(CoreStrategy):
    """A strategy that always needs a model."""

    needs_model = True
    has_budget = False


def without_model(strategy: str) -> ConfigError:
    """Error without a model; there is no silent fallback."""
    return ConfigError(
        f"the strategy `{strategy}` needs a language model, and none is configured",
        hint="set `model` to provider:name, or use the strategy `shortlist`",
    )


def without_reranker(strategy: str) -> ConfigError:
    """Error without a cross-encoder."""
    return ConfigError(
        f"the strategy `{strategy}` needs a cross-encoder, and none is configured",
        hint="set `reranker` to a model's name or folder; it needs the extra sentence-transformers",
    )


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
    """The strategy by name; built-in ones cannot be overridden."""
    if name in STRATEGIES:
        module, class_name = STRATEGIES[name]
        strategy: Strategy = getattr(import_module(module), class_name)()
        return strategy
    registered = plugins(GROUP)
    if name not in registered.names:
        raise ConfigError(
            f"there is no strategy `{name}`", hint=f"choose one of: {', '.join(strategy_names())}"
        )
    with opening(registered[name], "strategy") as what:
        opened = registered[name].load()()
    if not isinstance(opened, Strategy):
        raise ConfigError(
            f"{what} is not a `linker.strategies.Strategy`",
            hint="docs/strategies/README.md says what a strategy is",
        )
    return opened


def strategy_names() -> tuple[str, ...]:
    """Built-in and plugin strategies."""
    return tuple(sorted({*STRATEGIES, *plugins(GROUP).names}))


class AutoStrategy(Strategy):
    """Delegates to another strategy; the answer says which and why."""

    name = "auto"
    has_own_size = True

    def chosen(self, environment: Environment) -> tuple[Strategy, str]:
        """`evilink` with a model, else `shortlist`."""
        if environment.model is None:
            from linker.strategies.shortlist import ShortlistStrategy

            return ShortlistStrategy(), "no language model configured"
        from linker.strategies.evilink import EvilinkStrategy

        return EvilinkStrategy(), f"language model {environment.model.name} configured"

    def answer(self, question: LinkedQuestion, linking: LinkSession) -> LinkedSchema:
        return self.chosen(linking.environment)[0].answer(question, linking)
