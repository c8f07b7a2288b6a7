"""
Copies SQLite files into DuckDB, one schema each.

SQLite allows any value in any column: a column keeps its declared type if all values fit, else the
next wider one, at last text, so no value is lost.
"""

import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.suites.column_paths import step
from benchmarks.suites.databases import SuiteDatabase, SuiteTable
from linker.errors import ConfigError

# By what the declared type contains, the first that fits: the types to try before text.
_BY_DECLARED = (
    (r"^JSON", ("json",)),
    (r"^BOOL", ("boolean", "bigint")),
    (r"^(DATETIME|TIMESTAMP)", ("timestamp",)),
    (r"^DATE", ("date", "timestamp")),
    (r"^TIME", ("time",)),
    (r"^(.*INT|YEAR)", ("bigint", "double")),
    (r"CHAR|CLOB|TEXT|STRING", ()),
    (r"^(DECIMAL|NUMERIC|NUMBER)\s*\((\d+)\s*(,\s*\d+\s*)?\)", ("decimal", "double")),
    (r"REAL|FLOA|DOUB|DEC|NUM|MONEY", ("double",)),
)
_PRECISION = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")
_WIDEST_DECIMAL = 38
# Whether the text in {0} is a value of the type; {1} is the type in full.
_FITS = {
    "json": "json_valid({0})",
    "boolean": "lower({0}) in ('0', '1', 'true', 'false')",
    "bigint": "regexp_full_match({0}, '-?[0-9]+') and try_cast({0} as bigint) is not null",
    "double": "try_cast({0} as double) is not null",
    "decimal": "try_cast(try_cast({0} as {1}) as double) = try_cast({0} as double)",
    "date": (
        "regexp_full_match({0}, '[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}') and try_cast({0} as date) "
        "is not null"
    ),
    "timestamp": "try_cast({0} as timestamp) is not null",
    "time": "try_cast({0} as time) is not null",
}
_TABLES = (
    "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape "
    "'\\' order by name"
)


@dataclass(frozen=True, slots=True)
class _Loading:
    """One column on its way: its name here and there, and the types to try."""

    alias: str
    name: str
    types: tuple[str, ...]
    only_bytes: bool


def copy_database(
    connection: duckdb.DuckDBPyConnection, database: SuiteDatabase, schema: str
) -> None:
    """Copy all tables of the file into the schema, with what the suite says of them as comments."""
    path = database.rows
    if path is None:
        return
    connection.execute(f"create schema {_quoted(schema)}")
    described = {table.ref.name.lower(): table for table in database.tables}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.text_factory = _decoded
            for (name,) in source.execute(_TABLES).fetchall():
                _copy_table(connection, source, f"{_quoted(schema)}.{_quoted(name)}", name)
                if name.lower() in described:
                    _comment(
                        connection, f"{_quoted(schema)}.{_quoted(name)}", described[name.lower()]
                    )
    except sqlite3.Error as error:
        raise ConfigError(
            f"{path} cannot be read as SQLite: {error}", hint="fetch the file of the suite again"
        ) from None


def _decoded(content: bytes) -> str:
    """Decode; old files are not all UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _copy_table(
    connection: duckdb.DuckDBPyConnection, source: sqlite3.Connection, relation: str, name: str
) -> None:
    declared = source.execute(f"pragma table_info({_quoted(name)})").fetchall()
    aliases = [f"c{number}" for number in range(len(declared))]
    texts: set[str] = set()
    blobs: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        with file.open("w", encoding="utf-8") as lines:
            for row in source.execute(f"select * from {_quoted(name)}"):  # noqa: S608 - a name from its own catalogue
                lines.write(json.dumps(_as_texts(aliases, row, texts, blobs)) + "\n")
        kinds = ", ".join(f"{alias}: 'varchar'" for alias in aliases)
        connection.execute(
            f"create or replace temporary table staged as from read_json('{file}', format = "
            f"'newline_delimited', columns = {{{kinds}}}, maximum_object_size = 1000000000)"
        )
    columns = [
        _Loading(alias, column[1], _candidates(column[2]), alias in blobs and alias not in texts)
        for alias, column in zip(aliases, declared, strict=True)
    ]
    chosen = ", ".join(_chosen(connection, columns))
    connection.execute(f"create table {relation} as select {chosen} from staged")  # noqa: S608 - quoted names
    connection.execute("drop table staged")


def _as_texts(
    aliases: Sequence[str], row: Sequence[object], texts: set[str], blobs: set[str]
) -> Mapping[str, str | None]:
    """
    The values as texts, bytes in hexadecimal; which columns hold the one and the other is noted.
    """
    values: dict[str, str | None] = {}
    for alias, value in zip(aliases, row, strict=True):
        if isinstance(value, bytes):
            blobs.add(alias)
            values[alias] = value.hex()
        else:
            if value is not None:
                texts.add(alias)
            values[alias] = None if value is None else str(value)
    return values


def _candidates(declared: str) -> tuple[str, ...]:
    kind = declared.strip().upper()
    for pattern, types in _BY_DECLARED:
        if re.search(pattern, kind):
            return tuple(_in_full(data_type, kind) for data_type in types)
    return ()


def _in_full(kind: str, declared: str) -> str:
    found = _PRECISION.search(declared)
    if kind != "decimal" or found is None:
        return kind
    width, scale = int(found[1]), int(found[2] or 0)
    return (
        f"decimal({width}, {scale})"
        if 0 < width <= _WIDEST_DECIMAL and scale <= width
        else "double"
    )


def _chosen(connection: duckdb.DuckDBPyConnection, columns: Sequence[_Loading]) -> Iterator[str]:
    """The expression of every column: the first of its types that all values fit."""
    questions = list[str]()
    for column in columns:
        questions += (_question(column.alias, kind) for kind in column.types)
    answers = iter(
        connection.execute(f"select {', '.join(questions or ['true'])} from staged").fetchall()[0]  # noqa: S608
    )
    for column in columns:
        fitting = [kind for kind in column.types if next(answers)]
        if column.only_bytes:
            expression = f"from_hex({column.alias})"
        else:
            expression = f"cast({column.alias} as {fitting[0]})" if fitting else column.alias
        yield f"{expression} as {_quoted(column.name)}"


def _question(alias: str, kind: str) -> str:
    fits = _FITS[kind.partition("(")[0]].format(alias, kind)
    return f"coalesce(bool_and({alias} is null or ({fits})), true)"


def _comment(connection: duckdb.DuckDBPyConnection, relation: str, table: SuiteTable) -> None:
    """What the suite says of a table and its columns, where the warehouse keeps such words."""
    if table.description:
        connection.execute(f"comment on table {relation} is {_literal(table.description)}")
    found = connection.execute(f"describe {relation}").fetchall()
    names = {step(name).lower(): name for name, *_ in found}
    for column in table.columns:
        name = names.get(column.path.lower())
        if name is not None and column.description:
            connection.execute(
                f"comment on column {relation}.{_quoted(name)} is {_literal(column.description)}"
            )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
