"""A file of weights: enter its path and what it should hold, leaves what was made of its JSON, or one line of error."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from linker.errors import ConfigError

WeightsT = TypeVar("WeightsT")


@dataclass(frozen=True)
class WeightsFile(Generic[WeightsT]):
    """
    One kind of weights: what it is called, the setting that names a file of it, and the command that makes one.

    `features` tells what the weights are for; those that ship name all that there are.
    """

    told: str
    setting: str
    command: str
    shipped: str
    parse: Callable[[Mapping[str, Any]], WeightsT]
    features: Callable[[WeightsT], frozenset[str]]

    def read(self, path: Path | None) -> WeightsT:
        """The weights of a file, or those that ship with linker."""
        if path is None:
            return self._as_shipped
        try:
            text = path.read_text("utf-8")
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror}", hint=f"check `{self.setting}`") from None
        try:
            weights = self.parse(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigError(f"{path} holds no {self.told}", hint=f"make them with: {self.command}") from None
        if unknown := self.features(weights) - self.features(self._as_shipped):
            what = f"{path} holds {self.told} of another version: there is no {min(unknown)}"
            raise ConfigError(what, hint=f"make them anew with: {self.command}")
        return weights

    @cached_property
    def _as_shipped(self) -> WeightsT:
        return self.parse(json.loads(files("linker.ranking").joinpath(self.shipped).read_text("utf-8")))


def write(path: Path, members: Mapping[str, str]) -> None:
    """Keep named JSON texts in a file that people can read."""
    lines = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in members.items())
    try:
        path.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}", hint="name another file with --out") from None
