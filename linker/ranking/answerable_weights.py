"""The weights that recognise what cannot be answered: enters a JSON file, leave its numbers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from linker.errors import ConfigError
from linker.ranking.weights import Stage, stage_from_json, stage_to_json


@dataclass(frozen=True)
class AnswerableWeights:
    """One regression, and the log-odds above which a question is denied: in a profiled catalogue, and in another."""

    stage: Stage
    profiled: float
    unprofiled: float
    command: str = ""

    def limit(self, *, is_profiled: bool) -> float:
        """The log-odds above which a question is denied."""
        return self.profiled if is_profiled else self.unprofiled


def read_answerable_weights(path: Path | None = None) -> AnswerableWeights:
    """The weights of a file, or those that ship with linker."""
    if path is None:
        return _shipped()
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", hint="name a file that `linker tune` made") from None
    try:
        return _from_json(json.loads(text))
    except (ValueError, KeyError, TypeError):
        raise ConfigError(
            f"{path} holds no weights that recognise questions", hint="make them with: linker tune --answerable"
        ) from None


@lru_cache(maxsize=1)
def _shipped() -> AnswerableWeights:
    return _from_json(json.loads(files("linker.ranking").joinpath("answerable.json").read_text("utf-8")))


def _from_json(told: Mapping[str, Any]) -> AnswerableWeights:
    limits: Mapping[str, float] = told["limits"]
    return AnswerableWeights(
        stage=stage_from_json(told["answerable"]),
        profiled=float(limits["profiled"]),
        unprofiled=float(limits["unprofiled"]),
        command=str(told["command"]),
    )


def write_answerable_weights(path: Path, weights: AnswerableWeights) -> None:
    """Keep the weights in a file that people can read."""
    limits = {"profiled": round(weights.profiled, 5), "unprofiled": round(weights.unprofiled, 5)}
    text = (
        f'{{\n "command": {json.dumps(weights.command)},\n "limits": {json.dumps(limits)},\n'
        f' "answerable": {stage_to_json(weights.stage)}\n}}\n'
    )
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}", hint="name another file with --out") from None
