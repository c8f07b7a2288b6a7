"""
The generic suite format: two files of JSON lines.

docs/evaluation.md describes `tables.jsonl` and `questions.jsonl`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.downloads import counted, read_lines, suite_folder
from linker.catalog.column_metadata import KeyPair
from linker.errors import ConfigError
from linker.evaluation import GoldenQuestion, Suite
from linker.evaluation.golden import (
    Filled,
    QuestionLine,
    SuiteLine,
    Texts,
    as_list,
    question_of,
    validated,
)
from linker.types import TableRef

TABLES = "tables.jsonl"
QUESTIONS = "questions.jsonl"


class _CatalogueColumn(SuiteLine):
    path: Filled
    type: str = ""
    description: str | None = None
    samples: Texts = ()


class _Key(SuiteLine):
    columns: Annotated[tuple[Filled, ...], BeforeValidator(as_list), Field(min_length=1)]
    to_schema: str | None = None
    to_table: Filled
    to_columns: Annotated[tuple[Filled, ...], BeforeValidator(as_list), Field(min_length=1)]


class _CatalogueTable(SuiteLine):
    database: Filled
    dialect: Filled = "duckdb"
    # Not `schema`, which the class has already.
    schema_name: Filled = Field("main", alias="schema")
    table: Filled
    description: str | None = None
    row_count: int | None = None
    columns: tuple[_CatalogueColumn, ...]
    keys: tuple[_Key, ...] = ()


def read(root: Path) -> Suite:
    """A set in the generic format."""
    root = suite_folder(root, "catalogue", "", TABLES, QUESTIONS)
    databases = _databases(root / TABLES)
    here = {database.name for database in databases}
    questions: dict[str, GoldenQuestion] = {}
    absent: list[str] = []
    for number, record in read_lines(root / QUESTIONS):
        where = f"{root / QUESTIONS}, line {number}"
        line = validated(QuestionLine, record, where)
        if line.id in questions or line.id in absent:
            raise ConfigError(
                f"{where}: a question before it has the id {line.id} too", hint="give it another id"
            )
        if line.database in here:
            questions[line.id] = question_of(line, root, where)
        else:
            absent.append(line.id)
    left_out = (
        [f"{counted(len(absent), 'question', absent)}: their database is not here"]
        if absent
        else []
    )
    return Suite("catalogue", tuple(databases), tuple(questions.values()), tuple(left_out))


def _databases(path: Path) -> list[SuiteDatabase]:
    tables: dict[str, dict[TableRef, SuiteTable]] = {}
    keys: dict[str, list[KeyPair]] = {}
    dialects: dict[str, str] = {}
    for number, record in read_lines(path):
        where = f"{path}, line {number}"
        line = validated(_CatalogueTable, record, where)
        table, declared = _table(line), list(_keys(line))
        if dialects.setdefault(line.database, line.dialect) != line.dialect:
            raise ConfigError(
                f"{where}: {line.database} has another dialect before",
                hint="a database has one dialect",
            )
        if table.ref in tables.setdefault(line.database, {}):
            raise ConfigError(
                f"{where}: {table.ref} stands there twice", hint="leave one of them out"
            )
        tables[line.database][table.ref] = table
        keys.setdefault(line.database, []).extend(declared)
    return [
        SuiteDatabase(name, dialect, tuple(tables[name].values()), tuple(keys[name]))
        for name, dialect in dialects.items()
    ]


def _table(line: _CatalogueTable) -> SuiteTable:
    columns = tuple(
        SuiteColumn(column.path, column.type, column.description, column.samples)
        for column in line.columns
    )
    return SuiteTable(
        TableRef(line.schema_name, line.table), columns, line.description, line.row_count
    )


def _keys(line: _CatalogueTable) -> Iterator[KeyPair]:
    for key in line.keys:
        to_table = TableRef(key.to_schema or line.schema_name, key.to_table)
        yield KeyPair(TableRef(line.schema_name, line.table), key.columns, to_table, key.to_columns)
