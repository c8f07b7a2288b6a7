"""Lists of what a probe may be made of, from `allowed.yml`, and the refusal of anything else."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from linker.errors import GuardError
from linker.warehouses.base.dialect import words


@cache
def _lists() -> Mapping[str, Any]:
    return dict(yaml.safe_load(Path(__file__).with_name("allowed.yml").read_text("utf-8")))


@cache
def listed(name: str) -> frozenset[str]:
    """A list of words."""
    return words(_lists()[name])


def texts(name: str) -> Mapping[str, str]:
    """A list of texts, by what they are for."""
    return dict(_lists()[name])


def refused(code: str, reason: str, hint: str = "") -> GuardError:
    """The error for a statement that may not run; the code has a hint of its own."""
    return GuardError(
        f"a statement was refused before it ran: {reason}",
        hint=hint or texts("hints")[code],
        code=code,
    )
