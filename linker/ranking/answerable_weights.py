"""The weights that recognise what cannot be answered: enters a JSON file, leave its numbers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linker.ranking.weights import Regression, stage_from_json, stage_to_json
from linker.ranking.weights_file import WeightsFile, write


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


def read_answerable_weights(path: Path | None = None) -> AnswerableWeights:
    """The weights of a file, or those that ship with linker."""
    return _FILE.read(path)


def write_answerable_weights(path: Path, weights: AnswerableWeights) -> None:
    """Keep the weights in a file that people can read."""
    limits = {"profiled": round(weights.profiled, 5), "unprofiled": round(weights.unprofiled, 5)}
    told = {"command": json.dumps(weights.command), "limits": json.dumps(limits)}
    write(path, {**told, "answerable": stage_to_json(weights.stage)})


def _from_json(told: Mapping[str, Any]) -> AnswerableWeights:
    limits: Mapping[str, float] = told["limits"]
    return AnswerableWeights(
        stage=stage_from_json(told["answerable"]),
        profiled=float(limits["profiled"]),
        unprofiled=float(limits["unprofiled"]),
        command=str(told["command"]),
    )


_FILE = WeightsFile(
    "weights that recognise questions",
    "answerable_weights",
    "linker tune --answerable",
    "answerable.json",
    _from_json,
    lambda weights: frozenset(weights.stage.features),
)
