"""Writes any suite in the generic format of the suite `catalogue`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.suites.catalogue import QUESTIONS, TABLES
from benchmarks.suites.databases import SuiteDatabase, SuiteTable
from linker.evaluation import GoldenQuestion, Suite


def write(suite: Suite, folder: Path) -> None:
    """
    Write a suite of any kind in the generic format; its documents and rows stay where they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / TABLES, _table_records(suite))
    _write_lines(folder / QUESTIONS, (_question_record(question) for question in suite.questions))


def _table_records(suite: Suite) -> Iterator[dict[str, Any]]:
    for database in suite.databases:
        yield from (_table_record(database, table) for table in database.tables)


def _table_record(database: SuiteDatabase, table: SuiteTable) -> dict[str, Any]:
    columns = [
        {
            "path": column.path,
            "type": column.data_type,
            "description": column.description,
            "samples": list(column.samples),
        }
        for column in table.columns
    ]
    keys = [
        {
            "columns": list(key.left_columns),
            "to_schema": key.right.schema,
            "to_table": key.right.name,
            "to_columns": list(key.right_columns),
        }
        for key in database.keys
        if key.left == table.ref
    ]
    return {
        "database": database.name,
        "dialect": database.dialect,
        "schema": table.ref.schema,
        "table": table.ref.name,
        "description": table.description,
        "row_count": table.row_count,
        "columns": columns,
        "keys": keys,
    }


def _question_record(question: GoldenQuestion) -> dict[str, Any]:
    return {
        "id": question.id,
        "database": question.database,
        "question": question.text,
        "gold_sql": list(question.gold_sql),
        "gold_columns": list(question.gold_columns),
        "evidence": question.evidence,
        "document": str(question.document.resolve()) if question.document else None,
        "difficulty": question.difficulty,
        "answerable": question.is_answerable,
    }


def _write_lines(path: Path, records: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
