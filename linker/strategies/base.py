"""The seam to linking: a strategy finds what a question needs; `linker/pipeline.py` does the rest."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from linker.environment import Environment
from linker.errors import ConfigError
from linker.link.answer import LinkedSchema

if TYPE_CHECKING:
    # With them comes pydantic, which `shortlist` never needs.
    from linker.link.linking import Finding, Linking
    from linker.link.question import LinkedQuestion


class Strategy(ABC):
    """A way to link that says only what it finds, and keeps nothing of its own: several threads may share it."""

    name: str
    needs_model = False
    needs_reranker = False
    # Whether the column budget says how much it returns: an evaluation asks once where it does not.
    has_budget = True
    # Whether it finds a size by itself where no budget is given: an evaluation asks for that too.
    has_own_size = False
    # Whether the ranking takes in what a cross-encoder says, where one is set.
    rereads = True

    @abstractmethod
    def find(self, question: "LinkedQuestion", linking: "Linking") -> "Finding":
        """Find the tables and columns that the question needs."""


@runtime_checkable
class WholeStrategy(Protocol):
    """A way to link that does all of it by itself, trace and closure included."""

    def link(self, question: str, environment: Environment) -> LinkedSchema:
        """Link a question to the tables and columns that it needs."""


@runtime_checkable
class StrategyChoice(Protocol):
    """A rule that takes another strategy."""

    def choose(self, environment: Environment) -> tuple[Strategy | WholeStrategy, str]:
        """Choose a strategy, and say why."""


AnyStrategy: TypeAlias = Strategy | WholeStrategy | StrategyChoice


def without_model(strategy: str) -> ConfigError:
    """The error of a strategy that needs a model where none is set: nothing is done in its name in another way."""
    return ConfigError(
        f"the strategy `{strategy}` needs a language model, and none is set",
        hint="set `model` to provider:name, or take the strategy `shortlist`, which needs none",
    )


def without_reranker(strategy: str) -> ConfigError:
    """The error of a strategy that needs a cross-encoder where none is set."""
    return ConfigError(
        f"the strategy `{strategy}` needs a cross-encoder, and none is set",
        hint="set `reranker` to a model's name or folder; it needs the extra sentence-transformers",
    )
