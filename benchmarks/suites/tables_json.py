"""
The `tables.json` of Spider 1.0 and BIRD: databases with declared keys.

A column is `[table index, name]`; the first is `[-1, "*"]`. Keys refer to columns by index.
Readable names (`column_names`, `table_names`) become descriptions where they add to the name.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.suites.column_paths import step
from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.downloads import read_records
from linker.catalog.column_metadata import KeyPair
from linker.types import TableRef

SCHEMA = "main"
# Database, table, column and the name for people: its description, and its values.
Describe = Callable[[str, str, str, str | None], str | None]


def read_databases(
    path: Path, dialect: str, describe: Describe | None = None
) -> tuple[list[SuiteDatabase], list[str]]:
    """The databases of the file, and which of them could not be read."""
    databases: list[SuiteDatabase] = []
    left_out: list[str] = []
    for record in read_records(path):
        try:
            databases.append(_database(record, dialect, describe or _readable))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            name = record.get("db_id", "a database without a name")
            left_out.append(f"{path}: {name} cannot be read: {type(error).__name__} {error}")
    return databases, left_out


def readable(name: str, words: str | None) -> str | None:
    """The readable name, unless it only differs in spaces and case."""
    if not words or _letters(words) == _letters(name):
        return None
    return words.strip()


def _readable(_database: str, _table: str, column: str, words: str | None) -> str | None:
    return readable(column, words)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _database(record: Mapping[str, Any], dialect: str, describe: Describe) -> SuiteDatabase:
    name = record["db_id"]
    refs = [TableRef(SCHEMA, table) for table in record["table_names_original"]]
    people = record.get("table_names") or [None] * len(refs)
    columns: dict[int, list[SuiteColumn]] = defaultdict(list)
    for owner, column, kind, words in _columns(record):
        # The first column of all is `*`, of no table.
        if owner >= 0:
            described = describe(name, refs[owner].name, column, words)
            columns[owner].append(SuiteColumn(step(column), kind or "", described))
    tables = tuple(
        SuiteTable(ref, tuple(columns[number]), readable(ref.name, people[number]))
        for number, ref in enumerate(refs)
    )
    return SuiteDatabase(name, dialect, tables, tuple(_keys(record, refs)))


def _columns(record: Mapping[str, Any]) -> Iterator[tuple[int, str, str, str | None]]:
    originals = record["column_names_original"]
    people = record.get("column_names") or originals
    for (owner, column), kind, (_, words) in zip(
        originals, record["column_types"], people, strict=True
    ):
        yield owner, column, kind, words


def _keys(record: Mapping[str, Any], refs: list[TableRef]) -> Iterator[KeyPair]:
    columns = record["column_names_original"]
    for pair in record.get("foreign_keys", ()):
        # A key of several columns is a list on both sides.
        left, right = (side if isinstance(side, list) else [side] for side in pair)
        from_table, to_table = refs[columns[left[0]][0]], refs[columns[right[0]][0]]
        yield KeyPair(
            from_table,
            tuple(step(columns[index][1]) for index in left),
            to_table,
            tuple(step(columns[index][1]) for index in right),
        )
