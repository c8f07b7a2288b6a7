"""
Values and nested paths from sample rows.

The rules of the scan (`macros/render/sample_values.sql`): lists add no step to a path, a path has
the widest kind of its values, the most frequent paths of a document count, and long texts are not
values.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.suites.column_paths import step

# The kinds of values, the widest first, and the limits of dbt_project.yml and of the scan.
_KINDS = ("text", "number", "integer", "boolean", "struct", "json")
_LONGEST_VALUE = 256
_MAX_PATHS = 200
_MAX_VALUES = 10
_LONGEST_INTEGER = 10**18


class Samples:
    """The distinct values at every path of one table, in the order in which they came."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, None]] = defaultdict(dict)

    def __getitem__(self, path: str) -> tuple[str, ...]:
        return tuple(self._values.get(path, ()))

    def add(self, path: str, value: object) -> None:
        """Note a value, and those inside it, at the path and below it."""
        for index, leaf in _leaves(path, value):
            text = _text(leaf)
            if (
                text is not None
                and len(text) <= _LONGEST_VALUE
                and len(self._values[index]) < _MAX_VALUES
            ):
                self._values[index][text] = None


def parsed(value: object) -> object:
    """A document stored as text; other values unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def paths_in_documents(path: str, documents: Iterable[object]) -> list[tuple[str, str]]:
    """
    The paths inside the documents of one column with the kind of their values, in alphabetical
    order.
    """
    found: Counter[str] = Counter()
    kinds: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for index, leaf in _nodes(path, document):
            found[index] += 1
            kinds[index].add(_kind(leaf))
    del found[path]
    frequent = sorted(found, key=lambda index: (-found[index], index))[:_MAX_PATHS]
    return [(index, min(kinds[index], key=_KINDS.index)) for index in sorted(frequent)]


def _nodes(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Every struct and every value inside."""
    if isinstance(value, list):
        for element in value:
            yield from _nodes(path, element)
        return
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _nodes(f"{path}.{step(name)}", inner)


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    return (
        (index, leaf)
        for index, leaf in _nodes(path, value)
        if not isinstance(leaf, dict) and leaf is not None
    )


def _kind(value: Any) -> str:  # noqa: ANN401 - what a JSON file holds
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if abs(value) < _LONGEST_INTEGER else "number"
    kinds = {str: "text", float: "number", dict: "struct"}
    return kinds.get(type(value), "json")


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).strip()
    return text or None
