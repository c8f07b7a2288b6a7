"""Reads downloaded suite files, with one-line errors."""

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linker.errors import ConfigError
from linker.evaluation.golden import read_text

# A statement that creates a table may be longer than what csv allows by itself.
_LONGEST_CELL = 2**27


def suite_folder(root: Path, name: str, folder: str, *files: str) -> Path:
    """The suite's folder: the root, or its subfolder with the official name."""
    for index in (root, root / folder):
        if all(any(index.glob(file)) for file in files):
            return index
    absent = [file for file in files if not any(root.glob(file))]
    raise ConfigError(
        f"{root} is not the folder of {name}: it has no {' and no '.join(absent)}",
        hint=f"give its official folder, which holds {' and '.join(files)}, with --root",
    )


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines, with the number of the line."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(
                f"{path}, line {number}: not valid JSON: {error}", hint="mend the line"
            ) from None
        if not isinstance(record, dict):
            raise ConfigError(
                f"{path}, line {number}: not an object", hint="write {…} on every line"
            )
        yield number, record


def counted(number: int, thing: str, named: list[str] | None = None, *, shown: int = 5) -> str:
    """`3 questions (a, b, c)`, for the lines of what was left out."""
    words = f"{number:,} {thing}" + ("" if number == 1 else "s")
    if not named:
        return words
    more = f", and {len(named) - shown} more" if len(named) > shown else ""
    return f"{words} ({', '.join(named[:shown])}{more})"


def read_json(path: Path) -> Any:  # noqa: ANN401 - what a JSON file holds
    """What a JSON file holds."""
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise ConfigError(
            f"{path} is not valid JSON: {error}", hint="fetch the file of the suite again"
        ) from None


def read_records(path: Path) -> list[dict[str, Any]]:
    """The objects in the list that a JSON file holds."""
    content = read_json(path)
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise ConfigError(
            f"{path} holds no list of objects", hint="fetch the file of the suite again"
        )
    return content


def read_csv(path: Path) -> list[dict[str, str]]:
    """
    The rows of a CSV file by the names in its head, in lower case; cells that are missing are
    empty.
    """
    csv.field_size_limit(min(_LONGEST_CELL, sys.maxsize))
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), restval="")
    try:
        rows = list(reader)
    except csv.Error as error:
        raise ConfigError(
            f"{path}, line {reader.line_num}: {error}", hint="mend the line"
        ) from None
    return [_lower(row) for row in rows]


def _lower(row: Mapping[str | None, str]) -> dict[str, str]:
    return {str(name).strip().lower(): value for name, value in row.items() if name is not None}
