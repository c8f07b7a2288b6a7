"""
BIRD dev and Mini-Dev, from their official folder.

    dev.json, or mini_dev_{sqlite,mysql,postgresql}.json
        question_id, db_id, question, evidence, SQL, difficulty
    dev_tables.json
        see `tables_json`
    dev_databases/<db>/database_description/<table>.csv
        descriptions of columns and values
    dev_databases/<db>/<db>.sqlite
        the rows, if downloaded

Mini-Dev asks the same questions in three dialects, each a suite of its own.
"""

from pathlib import Path

from msgspec.structs import replace

from benchmarks.suites.databases import SuiteDatabase
from benchmarks.suites.downloads import counted, read_csv, read_records, suite_folder
from benchmarks.suites.tables_json import read_databases, readable
from linker.evaluation import GoldenQuestion, Suite

# The dialects as dbt and sqlglot call them, by the files.
_DIALECTS = {"sqlite": "sqlite", "mysql": "mysql", "postgresql": "postgres"}


def read_dev(root: Path) -> Suite:
    """BIRD dev."""
    return _read(root, "bird", "dev.json", "sqlite", "bird")


def read_mini_sqlite(root: Path) -> Suite:
    """Mini-Dev in SQLite."""
    return _read_mini(root, "sqlite")


def read_mini_mysql(root: Path) -> Suite:
    """Mini-Dev in MySQL."""
    return _read_mini(root, "mysql")


def read_mini_postgresql(root: Path) -> Suite:
    """Mini-Dev in PostgreSQL."""
    return _read_mini(root, "postgresql")


def _read_mini(root: Path, kind: str) -> Suite:
    return _read(root, f"bird-mini-{kind}", f"mini_dev_{kind}.json", _DIALECTS[kind], "mini")


def _read(root: Path, name: str, file: str, dialect: str, prefix: str) -> Suite:
    root = suite_folder(root, name, "bird", file, "dev_tables.json")
    descriptions = _Descriptions(root / "dev_databases")
    databases, left_out = read_databases(root / "dev_tables.json", dialect, descriptions.describe)
    databases = [
        _with_rows(database, root) if dialect == "sqlite" else database for database in databases
    ]
    here = {database.name for database in databases}
    records = read_records(root / file)
    questions = tuple(
        GoldenQuestion(
            id=f"{prefix}{record['question_id']}",
            database=record["db_id"],
            text=record["question"].strip(),
            gold_sql=(record["SQL"].strip(),),
            evidence=(record.get("evidence") or "").strip() or None,
            difficulty=record.get("difficulty"),
        )
        for record in records
        if record["db_id"] in here
    )
    absent = len(records) - len(questions)
    left_out += [f"{counted(absent, 'question')}: their database is not here"] if absent else []
    return Suite(name, tuple(databases), questions, (*left_out, *descriptions.unmatched()))


def _with_rows(database: SuiteDatabase, root: Path) -> SuiteDatabase:
    path = root / "dev_databases" / database.name / f"{database.name}.sqlite"
    return replace(database, rows=path) if path.is_file() else database


class _Descriptions:
    """What the CSV files say of columns, found whatever the case and the blanks around names."""

    def __init__(self, folder: Path) -> None:
        self._by_column: dict[tuple[str, str, str], dict[str, str]] = {}
        for path in sorted(folder.glob("*/database_description/*.csv")):
            database = path.parent.parent.name
            for row in read_csv(path):
                column = row.get("original_column_name", "")
                if column.strip():
                    self._by_column[_key(database, path.stem, column)] = row
        self._unmatched = set(self._by_column)

    def describe(self, database: str, table: str, column: str, words: str | None) -> str | None:
        """The readable name, the description, and what the values mean."""
        key = _key(database, table, column)
        row = self._by_column.get(key, {})
        self._unmatched.discard(key)
        name = readable(column, row.get("column_name") or words)
        parts = [name, row.get("column_description"), row.get("value_description")]
        sentences = [" ".join(part.split()).rstrip(".") for part in parts if part and part.strip()]
        # The description is often the name once more.
        distinct = {part.lower(): part for part in reversed(sentences)}
        return ". ".join(reversed(distinct.values())) or None

    def unmatched(self) -> list[str]:
        """One line for the descriptions whose column is in no table."""
        names = [".".join(key) for key in sorted(self._unmatched)]
        return (
            [f"{counted(len(names), 'description', names)} of columns that no table has"]
            if names
            else []
        )


def _key(*names: str) -> tuple[str, str, str]:
    database, table, column = (" ".join(name.split()).lower() for name in names)
    return database, table, column
