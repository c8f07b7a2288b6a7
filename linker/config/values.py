"""
Reads the value of a setting: enters what stands in a file, a variable or a flag, leaves what it
means.
"""

import math
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from linker.errors import ConfigError
from linker.text.numbers import parse_duration
from linker.text.safe import is_utf8

_DAY = 86_400


class Secret:
    """
    A text that no message, log or trace shows by accident: only those see it who ask for it by
    name.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def get_secret_value(self) -> str:
        """The secret itself."""
        return self._value

    def __repr__(self) -> str:
        return "Secret('**********')"

    def __str__(self) -> str:
        return "**********"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class WrongError(Exception):
    """Words for what a value should be; the value is not repeated, as it may be a secret."""


def text(value: object) -> str:
    """A text that is not empty, and that UTF-8 and file names can hold."""
    if not isinstance(value, str) or not value or "\0" in value or not is_utf8(value):
        raise WrongError("it should be a text")
    return value


def texts(value: object) -> tuple[str, ...]:
    """A list, or a text with commas between, as in the environment."""
    found = value.split(",") if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(
        isinstance(item, str) and item.strip() for item in found
    ):
        raise WrongError("it should be a list of texts")
    return tuple(text(item).strip() for item in found)


def path(value: object) -> Path:
    """A path."""
    return Path(text(str(value) if isinstance(value, Path) else value))


def secret(value: object) -> Secret:
    """A text that no message may show."""
    return value if isinstance(value, Secret) else Secret(text(value))


def number(least: int, most: int) -> Callable[[object], int]:
    """A whole number within bounds."""

    def read(value: object) -> int:
        written = _scalar(value)
        if (
            not written.isdecimal()
            or len(written) > len(str(most))
            or not least <= int(written) <= most
        ):
            raise WrongError(f"it should be a whole number from {least:,} to {most:,}")
        return int(written)

    return read


def yes_or_no(value: object) -> bool:
    """True or false, in YAML or in the environment."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    written = str(value).strip().casefold()
    if written not in words:
        raise WrongError("it should be true or false")
    return words[written]


def seconds(value: object) -> float:
    """A number of seconds, at most a day."""
    count = decimal(value)
    if not 0 < count <= _DAY:
        raise WrongError(f"it should be a number of seconds above 0, at most {_DAY:,}")
    return count


def decimal(value: object) -> float:
    """A number of any kind; none at all is one that lies within no bounds."""
    try:
        return float(_scalar(value))
    except ValueError:
        return math.nan


def _scalar(value: object) -> str:
    """What one word says; a list may be of any size when it is written out."""
    return (
        str(value).strip()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        else ""
    )


def up_to(most: int) -> Callable[[object], float]:
    """A number from 0 on."""

    def read(value: object) -> float:
        found = decimal(value)
        if not 0 <= found <= most:
            raise WrongError(f"it should be a number from 0 to {most}")
        return found

    return read


def duration(value: object) -> timedelta:
    """A length of time, such as `36h`."""
    if isinstance(value, timedelta):
        return value
    try:
        return parse_duration(text(value))
    except ConfigError as error:
        raise WrongError(error.hint) from None
