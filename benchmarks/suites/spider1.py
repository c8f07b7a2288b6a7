"""
Spider 1.0 dev, from its official folder.

    dev.json                    db_id, question, query
    tables.json                 see `tables_json`
    database/<db>/<db>.sqlite   the rows

Questions have no id: database and position within it identify them, whichever databases are
present.
"""

from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from benchmarks.suites.databases import SuiteDatabase
from benchmarks.suites.downloads import counted, read_records, suite_folder
from benchmarks.suites.tables_json import read_databases
from linker.evaluation import GoldenQuestion, Suite


def read(root: Path) -> Suite:
    """Spider 1.0 dev."""
    root = suite_folder(root, "spider1", "spider1", "dev.json", "tables.json")
    databases, left_out = read_databases(root / "tables.json", "sqlite")
    records = read_records(root / "dev.json")
    asked = {record["db_id"] for record in records}
    # `tables.json` contains the training databases too.
    databases = [_with_rows(database, root) for database in databases if database.name in asked]
    here = {database.name for database in databases}
    numbers: Counter[str] = Counter()
    questions: list[GoldenQuestion] = []
    for record in records:
        name = record["db_id"]
        numbers[name] += 1
        if name in here:
            gold = (record["query"].strip(),)
            questions.append(
                GoldenQuestion(f"{name}-{numbers[name]}", name, record["question"].strip(), gold)
            )
    absent = len(records) - len(questions)
    left_out += [f"{counted(absent, 'question')}: their database is not here"] if absent else []
    without = [database.name for database in databases if database.rows is None]
    left_out += [f"{counted(len(without), 'database', without)} without rows"] if without else []
    return Suite("spider1", tuple(databases), tuple(questions), tuple(left_out))


def _with_rows(database: SuiteDatabase, root: Path) -> SuiteDatabase:
    path = root / "database" / database.name / f"{database.name}.sqlite"
    return replace(database, rows=path) if path.is_file() else database
