"""Learned weights of ranking and of recognising what cannot be answered: read from JSON files, and written to them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from linker.errors import ConfigError
from linker.ranking.lexicon import Floats

WeightsT = TypeVar("WeightsT")
STAGES = ("tables", "neighbours", "columns", "twins")
# Features that are computed and have no weight yet, by name: they change no answer until `linker tune` was run.
UNFITTED: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Regression:
    """One logistic regression over standardised features."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def logits(self, named: Mapping[str, Floats]) -> Floats:
        """The log-odds of each row; features that the file does not name play no part."""
        odds: Floats = (stacked(named, self.features) @ self._slopes + self._offset).astype(np.float32)
        return odds

    def shares(self, named: Mapping[str, Floats], row: int) -> list[tuple[str, float]]:
        """The addition of each feature to the log-odds of a row, the most first."""
        values = stacked({name: named[name][row : row + 1] for name in self.features}, self.features)[0]
        added = (values - np.array(self.means)) * self._slopes
        return sorted(zip(self.features, map(float, added), strict=True), key=lambda share: -share[1])

    @property
    def _slopes(self) -> Floats:
        slopes: Floats = (np.array(self.weights) / np.array(self.deviations)).astype(np.float32)
        return slopes

    @property
    def _offset(self) -> float:
        return self.intercept - float(np.array(self.means) @ (np.array(self.weights) / np.array(self.deviations)))


@dataclass(frozen=True)
class Weights:
    """The four stages of ranking, and the command that made them."""

    tables: Regression
    neighbours: Regression
    columns: Regression
    twins: Regression
    command: str = ""


@dataclass(frozen=True)
class AnswerableWeights:
    """One regression, and the log-odds above which a question is denied: in a profiled catalogue, and in another."""

    stage: Regression
    profiled: float
    unprofiled: float
    command: str = ""

    def limit(self, *, is_profiled: bool) -> float:
        """The log-odds above which a question is denied."""
        return self.profiled if is_profiled else self.unprofiled


def stacked(named: Mapping[str, Floats], features: Sequence[str]) -> Floats:
    """The named features side by side."""
    matrix: Floats = np.column_stack([np.asarray(named[name], dtype=np.float32) for name in features])
    return matrix


def read_weights(path: Path | None = None) -> Weights:
    """The weights of a file, or those that ship with linker."""
    return _RANKING.read(path)


def read_answerable_weights(path: Path | None = None) -> AnswerableWeights:
    """The weights of a file, or those that ship with linker."""
    return _ANSWERABLE.read(path)


def write_weights(path: Path, weights: Weights) -> None:
    """Keep the weights in a file that people can read: a feature a line, with its mean, deviation and weight."""
    stages = {name: _regression_text(getattr(weights, name)) for name in STAGES}
    _write(path, {"command": json.dumps(weights.command), **stages})


def write_answerable_weights(path: Path, weights: AnswerableWeights) -> None:
    """Keep the weights in a file that people can read."""
    limits = {"profiled": round(weights.profiled, 5), "unprofiled": round(weights.unprofiled, 5)}
    stage = _regression_text(weights.stage)
    _write(path, {"command": json.dumps(weights.command), "limits": json.dumps(limits), "answerable": stage})


def _write(path: Path, members: Mapping[str, str]) -> None:
    lines = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in members.items())
    try:
        path.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}", hint="name another file with --out") from None


def _regression_text(stage: Regression) -> str:
    """A feature a line, with its mean, deviation and weight."""
    rows = zip(stage.features, stage.means, stage.deviations, stage.weights, strict=True)
    lines = ",\n".join(
        f"   {json.dumps(name)}: {json.dumps([round(float(number), 5) for number in numbers])}"
        for name, *numbers in rows
    )
    return f'{{\n  "intercept": {round(stage.intercept, 5)},\n  "features": {{\n{lines}\n  }}\n }}'


def _regression(content: Mapping[str, Any]) -> Regression:
    """A regression as it was written."""
    features: Mapping[str, Sequence[float]] = content["features"]
    rows = [(float(mean), float(deviation), float(weight)) for mean, deviation, weight in features.values()]
    if not np.isfinite(rows).all() or any(deviation <= 0 for _, deviation, _ in rows):
        raise ValueError
    means, deviations, weights = zip(*rows, strict=True) if rows else ((), (), ())
    return Regression(tuple(features), means, deviations, weights, float(content["intercept"]))


def _ranking_weights(content: Mapping[str, Any]) -> Weights:
    tables, neighbours, columns, twins = (_regression(content[name]) for name in STAGES)
    return Weights(tables, neighbours, columns, twins, command=str(content.get("command", "")))


def _answerable_weights(content: Mapping[str, Any]) -> AnswerableWeights:
    profiled, unprofiled = (float(content["limits"][name]) for name in ("profiled", "unprofiled"))
    return AnswerableWeights(_regression(content["answerable"]), profiled, unprofiled, str(content["command"]))


@dataclass(frozen=True)
class _WeightsFile(Generic[WeightsT]):
    """
    One kind of weights: what it is called, the setting that names a file of it, and the command that makes one.

    `features` names what the weights are for; those that ship name all that there are.
    """

    noun: str
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
            raise ConfigError(f"{path} holds no {self.noun}", hint=f"make them with: {self.command}") from None
        if unknown := self.features(weights) - self.features(self._as_shipped):
            what = f"{path} holds {self.noun} of another version: there is no {min(unknown)}"
            raise ConfigError(what, hint=f"make them anew with: {self.command}")
        return weights

    @cached_property
    def _as_shipped(self) -> WeightsT:
        return self.parse(json.loads(files("linker.ranking").joinpath(self.shipped).read_text("utf-8")))


_RANKING = _WeightsFile(
    *("ranking weights", "ranking_weights", "linker tune", "weights.json"),
    _ranking_weights,
    lambda weights: frozenset(f"{name}.{feature}" for name in STAGES for feature in getattr(weights, name).features),
)
_ANSWERABLE = _WeightsFile(
    *("weights that recognise questions", "answerable_weights", "linker tune --answerable", "answerable.json"),
    _answerable_weights,
    lambda weights: frozenset(weights.stage.features),
)
