"""
BEAVER, from its official folder.

    dev_<part>.json    db_id, question, sql; a part of the set, as `nw`
    dev_tables.json    one object per table, under `<db>#sep#<table>`: names, types, foreign keys

Types are those of the DDL, defaults and collations included; enum members are values of their
column. Questions have no id: part and position identify them.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.suites.column_paths import step
from benchmarks.suites.databases import SuiteColumn, SuiteDatabase, SuiteTable
from benchmarks.suites.downloads import counted, read_json, read_records, suite_folder
from benchmarks.suites.tables_json import SCHEMA
from linker.catalog.column_metadata import KeyPair
from linker.errors import ConfigError
from linker.evaluation import GoldenQuestion, Suite
from linker.types import TableRef

DIALECT = "mysql"
_SEPARATOR = "#sep#"
_AFTER_TYPE = re.compile(
    r"\s+(?:NOT NULL|NULL|DEFAULT|AUTO_INCREMENT|COLLATE|CHARACTER SET|COMMENT|GENERATED|ON UPDATE)\b.*",  # noqa: E501
    re.I | re.S,
)
_ENUMERATION = re.compile(r"^(?:enum|set)\((.*)\)$", re.I | re.S)
_ALLOWED = re.compile(r"'((?:[^']|'')*)'")
_COMMENT = re.compile(r"\bCOMMENT\s+'((?:[^']|'')*)'", re.I)


def read(root: Path) -> Suite:
    """BEAVER, all parts that are there."""
    root = suite_folder(root, "beaver", "beaver", "dev_*.json", "dev_tables.json")
    content = read_json(root / "dev_tables.json")
    if not isinstance(content, dict):
        raise ConfigError(
            f"{root / 'dev_tables.json'} holds no object", hint="fetch the file of the suite again"
        )
    left_out: list[str] = []
    tables: dict[str, list[SuiteTable]] = {}
    keys: dict[str, list[KeyPair]] = {}
    for name, record in content.items():
        try:
            table, declared = _table(record), list(_keys(record))
        except (KeyError, TypeError, ValueError) as error:
            left_out.append(
                f"{name} in dev_tables.json cannot be read: {type(error).__name__} {error}"
            )
            continue
        tables.setdefault(record["db_id"], []).append(table)
        keys.setdefault(record["db_id"], []).extend(declared)
    databases = tuple(
        SuiteDatabase(name, DIALECT, tuple(tables[name]), tuple(keys[name]))
        for name in sorted(tables)
    )
    questions, without = _questions(root, set(tables))
    return Suite("beaver", databases, tuple(questions), (*left_out, *without))


def parts(root: Path) -> list[Path]:
    """The files with questions."""
    return [path for path in sorted(root.glob("dev_*.json")) if path.name != "dev_tables.json"]


def _questions(root: Path, here: set[str]) -> tuple[list[GoldenQuestion], list[str]]:
    questions: list[GoldenQuestion] = []
    absent = 0
    for path in parts(root):
        for number, record in enumerate(read_records(path)):
            if record["db_id"] not in here:
                absent += 1
                continue
            key = f"{path.stem.removeprefix('dev_')}{number}"
            questions.append(
                GoldenQuestion(
                    key, record["db_id"], record["question"].strip(), (record["sql"].strip(),)
                )
            )
    return questions, [
        f"{counted(absent, 'question')}: their database is not here"
    ] if absent else []


def _table(record: Mapping[str, Any]) -> SuiteTable:
    columns = zip(record["column_names_original"], record["column_types"], strict=True)
    ref = TableRef(SCHEMA, record["table_name_original"])
    return SuiteTable(ref, tuple(_column(name, created) for name, created in columns))


def _column(name: str, created: str) -> SuiteColumn:
    data_type = _AFTER_TYPE.sub("", created).strip()
    comment = _COMMENT.search(created)
    allowed = _ENUMERATION.match(data_type)
    return SuiteColumn(
        step(name),
        data_type,
        comment[1].replace("''", "'").strip() or None if comment else None,
        tuple(value.replace("''", "'") for value in _ALLOWED.findall(allowed[1]))
        if allowed
        else (),
    )


def _keys(record: Mapping[str, Any]) -> Iterator[KeyPair]:
    ref = TableRef(SCHEMA, record["table_name_original"])
    for key in record.get("foreign_key") or ():
        target = key["referenced_table_name"].rpartition(_SEPARATOR)[2]
        yield KeyPair(
            ref,
            (step(key["column_name"]),),
            TableRef(SCHEMA, target),
            (step(key["referenced_column_name"]),),
        )
