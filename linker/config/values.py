"""How the value of a setting is read: enters what stands in a file, a variable or a flag, leaves what it means."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from linker.config.secret import Secret
from linker.errors import ConfigError
from linker.text.numbers import parse_duration

_DAY = 86_400


class WrongError(Exception):
    """What a value should be; the value is not repeated, as it may be a secret."""


def text(value: object) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise WrongError("it should be a text")
    return value


def texts(value: object) -> tuple[str, ...]:
    """A list, or a text with commas between, as in the environment."""
    found = value.split(",") if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(one, str) and one.strip() for one in found):
        raise WrongError("it should be a list of texts")
    return tuple(one.strip() for one in found)


def path(value: object) -> Path:
    """A path."""
    return value if isinstance(value, Path) else Path(text(value))


def secret(value: object) -> Secret:
    """A text that no message may show."""
    return value if isinstance(value, Secret) else Secret(text(value))


def number(least: int, most: int) -> Callable[[object], int]:
    """A whole number within bounds."""

    def read(value: object) -> int:
        text = str(value).strip()
        if isinstance(value, bool) or not text.isdecimal() or not least <= int(text) <= most:
            raise WrongError(f"it should be a whole number from {least:,} to {most:,}")
        return int(text)

    return read


def seconds(value: object) -> float:
    """A number of seconds, at most a day."""
    try:
        count = float(str(value))
    except ValueError:
        count = 0.0
    if isinstance(value, bool) or not 0 < count <= _DAY:
        raise WrongError(f"it should be a number of seconds above 0, at most {_DAY:,}")
    return count


def duration(value: object) -> timedelta:
    """A length of time, such as `36h`."""
    if isinstance(value, timedelta):
        return value
    try:
        return parse_duration(text(value))
    except ConfigError as error:
        raise WrongError(error.hint) from None
