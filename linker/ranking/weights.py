"""Learned ranking weights as a JSON file."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from linker.errors import ConfigError
from linker.files import read_text
from linker.ranking.table_tokens import Floats
from linker.types import Record

RANKING_STAGES = ("tables", "neighbours", "columns", "context")
STAGES = (*RANKING_STAGES, "likely_tables", "likely_columns", "complete")
# Features without a weight yet; they have no effect before `linker tune`.
UNFITTED: frozenset[str] = frozenset()


class Regression(Record, frozen=True):
    """Logistic regression on standardised features."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def logits(self, named: Mapping[str, Floats]) -> Floats:
        """Log-odds of each row; features without a weight are ignored."""
        values = stacked(named, self.features)
        # BLAS raises floating-point flags on padding lanes.
        with np.errstate(invalid="ignore"):
            odds: Floats = (values @ self._slopes + self._offset).astype(np.float32)
        return odds

    def shares(self, named: Mapping[str, Floats], row: int) -> Iterator[tuple[str, float]]:
        """Contribution of each feature to a row, largest first."""
        values = np.array([named[name][row] for name in self.features], dtype=np.float32)
        added = (values - self._means) * self._slopes
        for index in np.argsort(-added, kind="stable").tolist():
            yield self.features[index], float(added[index])

    @property
    def _means(self) -> npt.NDArray[np.float64]:
        return np.array(self.means)

    @property
    def _slopes(self) -> Floats:
        slopes: Floats = (np.array(self.weights) / np.array(self.deviations)).astype(np.float32)
        return slopes

    @property
    def _offset(self) -> float:
        return self.intercept - float(
            np.array(self.means) @ (np.array(self.weights) / np.array(self.deviations))
        )


NOTHING_FITTED = Regression((), (), (), (), 0.0)


class Weights(Record, frozen=True):
    """
    The four ranking stages, their calibrations, and the command that fitted them.

    `complete_at` holds, ascending, the claims at which answers to the user's questions became
    complete.
    """

    tables: Regression
    neighbours: Regression
    columns: Regression
    context: Regression
    likely_tables: Regression = NOTHING_FITTED
    likely_columns: Regression = NOTHING_FITTED
    complete: Regression = NOTHING_FITTED
    complete_at: tuple[float, ...] = ()
    command: str = ""


def stacked(named: Mapping[str, Floats], features: Sequence[str]) -> Floats:
    """A matrix of the named features."""
    matrix: Floats = np.column_stack(
        [np.asarray(named[name], dtype=np.float32) for name in features]
    )
    return matrix


def read_weights(path: Path | None = None) -> Weights:
    """Weights from a file, by default the shipped ones."""
    if path is None:
        return _shipped()
    text = read_text(path, hint="check `ranking_weights`")
    try:
        weights = _weights(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError(
            f"{path} is not a file of ranking weights", hint="create it with: linker tune"
        ) from None
    if unknown := _features(weights) - _features(_shipped()):
        what = f"{path} has ranking weights of another version: unknown feature {min(unknown)}"
        raise ConfigError(what, hint="create it again with: linker tune")
    return weights


@cache
def _shipped() -> Weights:
    return _weights(json.loads(files("linker.ranking").joinpath("weights.json").read_text("utf-8")))


def _features(weights: Weights) -> frozenset[str]:
    features = set[str]()
    for name in STAGES:
        features.update(f"{name}.{feature}" for feature in getattr(weights, name).features)
    return frozenset(features)


def write_weights(path: Path, weights: Weights) -> None:
    """Write readable JSON: one feature per line with mean, deviation and weight."""
    stages = {name: regression_text(getattr(weights, name)) for name in STAGES}
    claims = json.dumps([round(claim, 5) for claim in weights.complete_at])
    members = {"command": json.dumps(weights.command), "complete_at": claims, **stages}
    lines = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in members.items())
    try:
        path.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    except OSError as error:
        raise ConfigError(
            f"cannot write {path}: {error.strerror}", hint="name another file with --out"
        ) from None


def regression_text(stage: Regression) -> str:
    """One feature per line with mean, deviation and weight."""
    rows = zip(stage.features, stage.means, stage.deviations, stage.weights, strict=True)
    lines: list[str] = []
    for name, *numbers in rows:
        rounded = [round(float(number), 5) for number in numbers]
        lines.append(f"   {json.dumps(name)}: {json.dumps(rounded)}")
    features = ",\n".join(lines)
    return (
        f'{{\n  "intercept": {round(stage.intercept, 5)},\n  "features": {{\n{features}\n  }}\n }}'
    )


def read_regression(content: Mapping[str, Any]) -> Regression:
    """Parse a regression."""
    features: Mapping[str, Sequence[float]] = content["features"]
    rows = [
        (float(mean), float(deviation), float(weight))
        for mean, deviation, weight in features.values()
    ]
    if not np.isfinite(rows).all() or any(deviation <= 0 for _, deviation, _ in rows):
        raise ValueError
    means, deviations, weights = zip(*rows, strict=True) if rows else ((), (), ())
    return Regression(tuple(features), means, deviations, weights, float(content["intercept"]))


def _weights(content: Mapping[str, Any]) -> Weights:
    stages = {name: read_regression(content[name]) for name in STAGES}
    claims = tuple(sorted(float(claim) for claim in content.get("complete_at", ())))
    return Weights(**stages, complete_at=claims, command=str(content.get("command", "")))
