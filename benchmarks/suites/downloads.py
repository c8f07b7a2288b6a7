"""
Files as public suites come in them: enters a path, leaves records, or one clear line of what is
wrong with it.
"""

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

from linker.errors import ConfigError
from linker.evaluation.suites.golden import read_text

# A statement that creates a table may be longer than what csv allows by itself.
_LONGEST_CELL = 2**27


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
    return [
        {str(name).strip().lower(): value for name, value in row.items() if name is not None}
        for row in rows
    ]
