"""The learned weights: enter a JSON file and named features, leave log-odds of four logistic regressions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linker.ranking.postings import Floats
from linker.ranking.weights_file import WeightsFile, write

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
        """What each feature adds to the log-odds of a row, the most first."""
        values = stacked({name: named[name][row : row + 1] for name in self.features}, self.features)[0]
        added = (values - np.array(self.means)) * self._slopes
        return sorted(zip(self.features, (float(one) for one in added), strict=True), key=lambda one: -one[1])

    @property
    def _slopes(self) -> Floats:
        slopes: Floats = (np.array(self.weights) / np.array(self.deviations)).astype(np.float32)
        return slopes

    @property
    def _offset(self) -> float:
        return self.intercept - float(np.array(self.means) @ (np.array(self.weights) / np.array(self.deviations)))


@dataclass(frozen=True)
class Weights:
    """The four stages, and the command that made them."""

    tables: Regression
    neighbours: Regression
    columns: Regression
    twins: Regression
    command: str = ""


def stacked(named: Mapping[str, Floats], features: Sequence[str]) -> Floats:
    """The named features side by side."""
    matrix: Floats = np.column_stack([np.asarray(named[name], dtype=np.float32) for name in features])
    return matrix


def read_weights(path: Path | None = None) -> Weights:
    """The weights of a file, or those that ship with linker."""
    return _FILE.read(path)


def write_weights(path: Path, weights: Weights) -> None:
    """Keep the weights in a file that people can read: a feature a line, with its mean, deviation and weight."""
    stages = {name: stage_to_json(getattr(weights, name)) for name in STAGES}
    write(path, {"command": json.dumps(weights.command), **stages})


def stage_to_json(stage: Regression) -> str:
    """A feature a line, with its mean, deviation and weight."""
    rows = zip(stage.features, stage.means, stage.deviations, stage.weights, strict=True)
    lines = ",\n".join(
        f"   {json.dumps(name)}: {json.dumps([round(float(number), 5) for number in numbers])}"
        for name, *numbers in rows
    )
    return f'{{\n  "intercept": {round(stage.intercept, 5)},\n  "features": {{\n{lines}\n  }}\n }}'


def _from_json(told: Mapping[str, Any]) -> Weights:
    tables, neighbours, columns, twins = (stage_from_json(told[name]) for name in STAGES)
    return Weights(tables, neighbours, columns, twins, command=str(told.get("command", "")))


def stage_from_json(told: Mapping[str, Any]) -> Regression:
    """A regression as it was written."""
    features: Mapping[str, Sequence[float]] = told["features"]
    rows = [(float(mean), float(deviation), float(weight)) for mean, deviation, weight in features.values()]
    if not np.isfinite(rows).all() or any(deviation <= 0 for _, deviation, _ in rows):
        raise ValueError
    return Regression(
        tuple(features),
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(row[2] for row in rows),
        float(told["intercept"]),
    )


def _features(weights: Weights) -> frozenset[str]:
    return frozenset(f"{name}.{feature}" for name in STAGES for feature in getattr(weights, name).features)


_FILE = WeightsFile("ranking weights", "ranking_weights", "linker tune", "weights.json", _from_json, _features)
