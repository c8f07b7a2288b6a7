"""
Spider 2.0-Lite and Spider 2.0-Snow, from the folder of the official repository.

    spider2-lite.jsonl
        instance_id, db, question, external_knowledge
    resource/databases/<engine>/<db>/…
        see `spider2_tables`; spider2-snow may leave the engine out
    resource/databases/spider2-localdb/
        the SQLite files with rows, where the user fetched them
    resource/documents/
        what `external_knowledge` names
    evaluation_suite/gold/sql/
        <instance_id>.sql, or <instance_id>_a.sql, …_b.sql: each is right

No database declares keys. The name of a database is the engine and its folder
(`snowflake.STACKOVERFLOW`), as two may differ only in case and engine. A question names it loosely:
`Db-IMDB` is the folder `DB_IMDB`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from benchmarks.suites.databases import SuiteDatabase
from benchmarks.suites.downloads import counted, read_lines, suite_folder
from benchmarks.suites.spider2_tables import read_tables
from linker.evaluation import GoldenQuestion, Suite
from linker.evaluation.golden import read_text

ENGINES = ("bigquery", "snowflake", "sqlite")
_ENGINE_OF_PREFIX = {"bq": "bigquery", "ga": "bigquery", "sf": "snowflake", "local": "sqlite"}
_LOCAL_ROWS = "spider2-localdb"
_VARIANT = re.compile(r"_[0-9a-z]+$", re.IGNORECASE)


def read_lite(root: Path) -> Suite:
    """Spider 2.0-Lite."""
    return _read(root, "spider2-lite", ENGINES)


def read_snow(root: Path) -> Suite:
    """Spider 2.0-Snow."""
    return _read(root, "spider2-snow", ("snowflake",))


def _read(root: Path, name: str, engines: tuple[str, ...]) -> Suite:
    root = suite_folder(root, name, name, f"{name}.jsonl", "resource/databases")
    databases, left_out = _databases(root / "resource" / "databases", engines)
    questions, without = _questions(root, root / f"{name}.jsonl", databases)
    return Suite(name, tuple(databases), tuple(questions), (*left_out, *without))


def _databases(folder: Path, engines: tuple[str, ...]) -> tuple[list[SuiteDatabase], list[str]]:
    databases: list[SuiteDatabase] = []
    left_out: list[str] = []
    for engine in engines:
        # spider2-snow may have the databases right here.
        index = folder / engine if (folder / engine).is_dir() or len(engines) > 1 else folder
        for path in sorted(index.iterdir()) if index.is_dir() else []:
            if not path.is_dir():
                continue
            tables, without = read_tables(path, engine)
            left_out += without
            if tables:
                rows = _rows(folder / _LOCAL_ROWS, path.name) if engine == "sqlite" else None
                databases.append(
                    SuiteDatabase(f"{engine}.{path.name}", engine, tuple(tables), rows=rows)
                )
    return databases, left_out


def _rows(folder: Path, name: str) -> Path | None:
    files = {_loose(path.stem): path for path in sorted(folder.glob("*.sqlite"))}
    return files.get(_loose(name))


def _loose(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _questions(
    root: Path, path: Path, databases: list[SuiteDatabase]
) -> tuple[list[GoldenQuestion], list[str]]:
    records = [record for _, record in read_lines(path)]
    gold = _gold(
        root / "evaluation_suite" / "gold" / "sql",
        {str(record.get("instance_id")) for record in records},
    )
    names = _names(databases)
    questions: list[GoldenQuestion] = []
    absent: list[str] = []
    without_gold: list[str] = []
    documents: list[str] = []
    for record in records:
        key, asked = str(record.get("instance_id")), str(record.get("db") or record.get("db_id"))
        database = _database(key, asked, names)
        if database is None:
            absent.append(key)
            continue
        if not gold.get(key):
            without_gold.append(key)
            continue
        file_name = record.get("external_knowledge")
        document = root / "resource" / "documents" / file_name if file_name else None
        if document is not None and not document.is_file():
            documents.append(str(file_name))
            document = None
        text = str(record.get("question") or record.get("instruction"))
        questions.append(GoldenQuestion(key, database, text, gold[key], document=document))
    left_out = [
        *(
            [f"{counted(len(absent), 'question', absent)}: their database is not here"]
            if absent
            else []
        ),
        *(
            [f"{counted(len(without_gold), 'question', without_gold)}: no gold SQL"]
            if without_gold
            else []
        ),
        *(
            [f"{counted(len(documents), 'document', documents)} of questions not found"]
            if documents
            else []
        ),
    ]
    return questions, left_out


def _gold(folder: Path, keys: set[str]) -> dict[str, tuple[str, ...]]:
    """The statements of each question: id.sql, then id_a.sql, id_b.sql."""
    gold: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for path in sorted(folder.glob("*.sql"), key=lambda file: file.stem):
        key = path.stem if path.stem in keys else _VARIANT.sub("", path.stem)
        if key in keys:
            gold[key] += (read_text(path).strip(),)
    return gold


def _names(databases: list[SuiteDatabase]) -> Mapping[str, list[SuiteDatabase]]:
    names: dict[str, list[SuiteDatabase]] = defaultdict(list)
    for database in databases:
        names[_loose(database.name.partition(".")[2])].append(database)
    return names


def _database(key: str, asked: str, names: Mapping[str, list[SuiteDatabase]]) -> str | None:
    """The one of that name on the engine that the question's prefix means."""
    found = names.get(_loose(asked), [])
    prefix = re.match("[a-z]*", key)
    engine = _ENGINE_OF_PREFIX.get(prefix[0]) if prefix else None
    fitting = [database for database in found if engine is None or database.dialect == engine]
    exact = [database for database in fitting if database.name.partition(".")[2] == asked]
    chosen = exact if len(exact) == 1 else fitting
    return chosen[0].name if len(chosen) == 1 else None
