"""
Texts and names in the files of a suite: paths of columns are spelt as the product spells them,
`hits.page.title`.

A step that holds a dot or a double quote stands in double quotes, as in
`models/inventory/linker_columns.yml`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linker.errors import ConfigError
from linker.evaluation.suites.golden import read_text


def suite_folder(root: Path, name: str, folder: str, *files: str) -> Path:
    """
    The folder that holds the suite's files: the root, or the one in it under the name in which the
    suite comes.
    """
    for place in (root, root / folder):
        if all(any(place.glob(file)) for file in files):
            return place
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


_STEP = re.compile(r'"(?:[^"]|"")*"|[^.]+')


def step(name: str) -> str:
    """One step of a path, for a name as the catalogue spells it."""
    return '"' + name.replace('"', '""') + '"' if "." in name or '"' in name else name


def steps(path: str) -> list[str]:
    """The names that a path is made of, without the quotes."""
    if "." not in path and '"' not in path:
        return [path]
    return [
        part[1:-1].replace('""', '"') if part.startswith('"') else part
        for part in _STEP.findall(path)
    ]


def parent(path: str) -> str | None:
    """The path of the column or struct that this path lies in; none for a column."""
    parts = _STEP.findall(path)
    return ".".join(parts[:-1]) if len(parts) > 1 else None


def depth(path: str) -> int:
    """0 for a column, 1 for a path inside it, and so on."""
    # Most paths are plain names, and there are hundreds of thousands.
    return 0 if "." not in path else max(len(_STEP.findall(path)) - 1, 0)
