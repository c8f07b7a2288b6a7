"""Reads the files of a suite: enters a path, leaves what is in it, or one clear line of what is wrong with it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linker.errors import ConfigError


def read_text(path: Path) -> str:
    """The text of a file; official files are not all UTF-8."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}", hint="give the folder of the suite with --root"
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines, with the number of the line."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: not valid JSON: {error}", hint="mend the line") from None
        if not isinstance(record, dict):
            raise ConfigError(f"{path}, line {number}: not an object", hint="write {…} on every line")
        yield number, record


def counted(number: int, thing: str, named: list[str] | None = None, *, shown: int = 5) -> str:
    """`3 questions (a, b, c)`, for the lines of what was left out."""
    words = f"{number:,} {thing}" + ("" if number == 1 else "s")
    if not named:
        return words
    more = f", and {len(named) - shown} more" if len(named) > shown else ""
    return f"{words} ({', '.join(named[:shown])}{more})"
