"""
The catalogue of Spider 2.0: the tables of the folder of one database.

One JSON file a table holds names, types, descriptions and up to five rows; `DDL.csv` beside it
holds what was said when the table was made. BigQuery's columns come with their nested paths;
Snowflake's VARIANTs show theirs only in the rows.

That export lists Snowflake's columns in an order that changes from table to table. The order of
`DDL.csv` is the true one; where it does not tell it for all tables with the same columns, theirs
are sorted by name.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchmarks.suites.column_paths import depth, step, steps
from benchmarks.suites.databases import SuiteColumn, SuiteTable
from benchmarks.suites.downloads import counted, read_csv, read_json
from benchmarks.suites.samples import Samples, parsed, paths_in_documents
from linker.errors import ConfigError
from linker.types import TableRef

_DOCUMENT_TYPES = frozenset({"VARIANT", "OBJECT", "ARRAY", "JSON"})
_DESCRIPTION_OPTION = re.compile(r'description="((?:[^"\\]|\\.)*)"')
_ESCAPED = re.compile(r"\\(.)")
# In `create table`, a column is at the start of its line.
_CREATED_COLUMN = re.compile(r'^\s*(?:"((?:[^"]|"")+)"|(\w+))\s+[A-Za-z]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """What `DDL.csv` says of one table."""

    description: str | None
    columns: tuple[str, ...]


def read_tables(folder: Path, engine: str) -> tuple[list[SuiteTable], list[str]]:
    """The tables of one database, and what could not be read."""
    left_out: list[str] = []
    tables: list[SuiteTable] = []
    for directory, files in _files_by_directory(folder):
        schema = _schema(directory.relative_to(folder), engine)
        statements = _statements(directory / "DDL.csv", engine, left_out)
        found = list(_tables(files, schema, statements, left_out))
        tables += _in_true_order(found, statements) if engine == "snowflake" else found
        missing = sorted(statements.keys() - {table.ref.name.lower() for table in found})
        if missing:
            left_out.append(
                f"{folder.name}: no columns are told of {counted(len(missing), 'table', missing)}"
            )
    by_ref = {table.ref: table for table in tables}
    if len(by_ref) < len(tables):
        left_out.append(
            f"{folder.name}: {counted(len(tables) - len(by_ref), 'table')} of a name that another "
            "one has"
        )
    return list(by_ref.values()), left_out


def _files_by_directory(folder: Path) -> list[tuple[Path, list[Path]]]:
    files: dict[Path, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*.json")):
        files[path.parent].append(path)
    return sorted(files.items())


def _schema(directory: Path, engine: str) -> str:
    """The dataset without its project, or the schema; SQLite has only `main`."""
    if engine == "sqlite" or not directory.parts:
        return "main"
    return directory.name.rpartition(".")[2] if engine == "bigquery" else directory.name


def _statements(path: Path, engine: str, left_out: list[str]) -> dict[str, Statement]:
    """By the name of the table in lower case."""
    if not path.is_file():
        return {}
    try:
        rows = read_csv(path)
    except ConfigError as error:
        left_out.append(error.what)
        return {}
    return {
        row.get("table_name", "").strip().rpartition(".")[2].lower(): _statement(row, engine)
        for row in rows
        if row.get("table_name", "").strip()
    }


def _statement(row: dict[str, str], engine: str) -> Statement:
    sql = row.get("ddl", "")
    description = row.get("description", "").strip()
    if engine == "bigquery":
        # The options of the table come after its columns, which have options of their own.
        option = _DESCRIPTION_OPTION.search(sql.partition("\n)")[2])
        description = (
            _ESCAPED.sub(lambda found: {"n": "\n"}.get(found[1], found[1]), option[1]).strip()
            if option
            else ""
        )
    columns = _CREATED_COLUMN.findall(sql.partition("(")[2]) if engine == "snowflake" else []
    return Statement(
        description or None, tuple(quoted.replace('""', '"') or bare for quoted, bare in columns)
    )


def _tables(
    files: Iterable[Path], schema: str, statements: Mapping[str, Statement], left_out: list[str]
) -> Iterator[SuiteTable]:
    for path in files:
        try:
            content = read_json(path)
            table = _table(content, schema)
        except ConfigError as error:
            left_out.append(error.what)
            continue
        except (KeyError, TypeError, ValueError, SyntaxError, AttributeError) as error:
            left_out.append(f"{path}: not the JSON of a table: {type(error).__name__} {error}")
            continue
        statement = statements.get(table.ref.name.lower())
        yield replace(table, description=statement.description if statement else None)


def _table(content: Mapping[str, Any], schema: str) -> SuiteTable:
    # Some names carry their schema or a blank in front.
    name = content["table_name"].strip()
    name = name[len(schema) + 1 :] if name.lower().startswith(schema.lower() + ".") else name
    nested = "nested_column_names" in content
    names = _listed(content["nested_column_names" if nested else "column_names"])
    types = _listed(content["nested_column_types" if nested else "column_types"])
    descriptions = _listed(content.get("description") or [None] * len(names))
    paths = names if nested else [step(name) for name in names]
    # BigQuery's pseudo-columns are no columns of the table: they are in `column_names` only.
    listed = {
        path: (kind, words)
        for path, kind, words in zip(paths, types, _padded(descriptions, len(names)), strict=True)
    }
    rows = content.get("sample_rows") or []
    columns = _columns(listed, [row for row in rows if isinstance(row, dict)])
    return SuiteTable(TableRef(schema, name), tuple(columns))


def _listed(value: list[Any] | str) -> list[Any]:
    return value if isinstance(value, list) else list(ast.literal_eval(value))


def _padded(values: Sequence[Any], length: int) -> list[Any]:
    return [*values, *[None] * (length - len(values))][:length]


def _columns(
    listed: Mapping[str, tuple[str, str | None]], rows: Sequence[Mapping[str, Any]]
) -> Iterator[SuiteColumn]:
    """
    The columns with the values that the rows hold, each before the paths that its documents tell.
    """
    documents = {path for path, (kind, _) in listed.items() if kind.upper() in _DOCUMENT_TYPES}
    samples = Samples()
    inside: dict[str, list[tuple[str, str]]] = {}
    for path in listed:
        if depth(path) == 0:
            values = [row.get(steps(path)[0]) for row in rows]
            if path in documents:
                values = [parsed(value) for value in values]
                inside[path] = paths_in_documents(path, values)
            for value in values:
                samples.add(path, value)
    for path, (kind, words) in listed.items():
        yield _column(path, kind, words, samples)
        for index, kind_of_values in inside.get(path, ()):
            if index not in listed:
                yield _column(index, kind_of_values.upper(), None, samples)


def _column(path: str, kind: str, words: str | None, samples: Samples) -> SuiteColumn:
    # Shards repeat names, types and words hundreds of times.
    description = (words or "").strip()
    return SuiteColumn(
        sys.intern(path),
        sys.intern(kind.strip()),
        sys.intern(description) if description else None,
        tuple(sys.intern(value) for value in samples[path]),
    )


def _in_true_order(
    tables: Sequence[SuiteTable], statements: Mapping[str, Statement]
) -> list[SuiteTable]:
    """
    Tables with the same columns get the same order: the one in which they were made, else that of
    their names.
    """
    alike: dict[frozenset[tuple[str, str]], list[SuiteTable]] = defaultdict(list)
    for table in tables:
        alike[
            frozenset(
                (column.path, column.data_type)
                for column in table.columns
                if depth(column.path) == 0
            )
        ].append(table)
    ordered: dict[TableRef, SuiteTable] = {}
    for signature, group in alike.items():
        names = {steps(path)[0] for path, _ in signature}
        orders = {_order_of(statements.get(table.ref.name.lower()), names) for table in group}
        [order] = orders if len(orders) == 1 else [None]
        indexes = {name: index for index, name in enumerate(order or sorted(names))}
        for table in group:
            ordered[table.ref] = replace(table, columns=_placed(table.columns, indexes))
    return [ordered[table.ref] for table in tables]


def _placed(
    columns: tuple[SuiteColumn, ...], indexes: Mapping[str, int]
) -> tuple[SuiteColumn, ...]:
    return tuple(sorted(columns, key=lambda column: indexes[steps(column.path)[0]]))


def _order_of(statement: Statement | None, names: set[str]) -> tuple[str, ...] | None:
    """The columns in the statement's order, if it lists exactly these."""
    if statement is None:
        return None
    exact = tuple(dict.fromkeys(statement.columns))
    return exact if set(exact) == names else None
