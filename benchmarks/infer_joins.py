"""
Precision and recall of inferred joins against true foreign keys.

Three sets: the demo, with keys in `linker/demo/foreign_keys/*.yml`, which the product never reads;
Spider 1.0 (`--spider1`), loaded into one DuckDB file without its keys, one schema per database; any
other DuckDB file (`--warehouse` with `--keys`). Joins compare between logical tables. Declared keys
are excluded on both sides.
"""

import argparse
import fnmatch
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import yaml

from benchmarks.progress_line import write_lines

ROOT = Path(__file__).resolve().parent.parent
DEMO_KEYS = ROOT / "linker" / "demo" / "foreign_keys"
THRESHOLDS = (0.55, 0.6, 0.7, 0.8, 0.9)
JOINS = """
    select
        from_schema || '.' || from_table, from_columns, to_schema || '.' || to_table, to_columns,
        origin, confidence, coalesce(name_rule, ''), coalesce(containment, 0),
            coalesce(sampled_values, 0)
    from linker_joins
"""


@dataclass(frozen=True, slots=True)
class Edge:
    """Columns that point to a key."""

    from_table: str
    from_columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]

    def __str__(self) -> str:
        pointing, key = ", ".join(self.from_columns), ", ".join(self.to_columns)
        return f"{self.from_table} ({pointing}) -> {self.to_table} ({key})"

    @property
    def schema(self) -> str:
        """The schema of the pointing table."""
        return self.from_table.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Join:
    """A row of linker_joins."""

    edge: Edge
    origin: str
    confidence: float
    why: str


def main() -> None:
    """Profile, compare, print."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "warehouse.duckdb"
        if options.spider1:
            _load_spider1(options.spider1, warehouse)
        elif options.warehouse:
            shutil.copyfile(options.warehouse, warehouse)
        else:
            _build_demo(warehouse)
        _profile(Path(folder), warehouse)
        if options.keep:
            shutil.copyfile(warehouse, options.keep)
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            connection.execute("set schema = 'main_linker'")
            joins = list(_joins(connection))
            true = (
                _spider1_edges(options.spider1)
                if options.spider1
                else _written_edges(options.keys, connection)
            )
    if options.spider1:
        joins = [_in_lower_case(join) for join in joins]
    known = {join.edge for join in joins if join.origin != "inferred"}
    inferred = [join for join in joins if join.origin == "inferred"]
    write_lines(_figures(inferred, true - known, known))
    if options.spider1 or options.keys != DEMO_KEYS:
        write_lines(_figures_by_schema(inferred, true - known))
    if options.show:
        write_lines(_differences(inferred, true - known))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    tables = parser.add_mutually_exclusive_group()
    tables.add_argument(
        "--warehouse", type=Path, help="a DuckDB file; without it a demo warehouse is built"
    )
    tables.add_argument(
        "--spider1", type=Path, help="Spider 1.0: a folder with tables.json and database/"
    )
    parser.add_argument(
        "--keys",
        type=Path,
        default=DEMO_KEYS,
        help="YAML files with its true keys; the demo's without it",
    )
    parser.add_argument(
        "--show",
        action="store_true",
        help="print the edges that are wrong and those that are missing",
    )
    parser.add_argument(
        "--keep", type=Path, help="where to copy the profiled warehouse to, to look at it"
    )
    return parser.parse_args()


def _build_demo(warehouse: Path) -> None:
    from linker.demo.warehouse import build_warehouse

    build_warehouse(warehouse)


def _load_spider1(folder: Path, warehouse: Path) -> None:
    """All databases as schemas of one file, with rows and without keys."""
    with duckdb.connect(str(warehouse)) as connection:
        for database in json.loads((folder / "tables.json").read_text("utf-8")):
            name = database["db_id"]
            file = folder / "database" / name / f"{name}.sqlite"
            connection.execute(f"create schema {_quoted(name)}")
            with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source:
                source.text_factory = lambda raw: raw.decode("utf-8", "replace")
                for table in database["table_names_original"]:
                    _copy_table(source, connection, table, f"{_quoted(name)}.{_quoted(table)}")


def _copy_table(
    source: sqlite3.Connection, connection: duckdb.DuckDBPyConnection, table: str, copy: str
) -> None:
    declared = source.execute(f"pragma table_info({_quoted(table)})").fetchall()
    rows = source.execute(f"select * from {_quoted(table)}").fetchall()  # noqa: S608 - the names are quoted
    columns = []
    for index, (_, _, kind, *_) in enumerate(declared):
        columns.append(_typed(kind, [row[index] for row in rows]))
    listed = ", ".join(
        f"{_quoted(row[1])} {kind}" for row, (kind, _) in zip(declared, columns, strict=True)
    )
    connection.execute(f"create table {copy} ({listed})")
    if rows:
        values = ", ".join("unnest(?)" for _ in columns)
        connection.execute(f"insert into {copy} select {values}", [values for _, values in columns])


def _typed(declared: str, values: Sequence[object]) -> tuple[str, list[object]]:
    """SQLite values ignore types: the declared type applies if all values fit, else text."""
    kind = declared.upper()
    if "INT" in kind:
        numbers = [None if value == "" else value for value in values]
        if all(value is None or isinstance(value, int) for value in numbers):
            return "bigint", numbers
    elif any(word in kind for word in ("REAL", "FLOA", "DOUB", "NUM", "DEC")):
        numbers = [None if value == "" else value for value in values]
        if all(value is None or isinstance(value, int | float) for value in numbers):
            return "double", [None if value is None else float(str(value)) for value in numbers]
    return "varchar", [None if value is None else str(value) for value in values]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _spider1_edges(folder: Path) -> set[Edge]:
    """The foreign keys of tables.json: pairs of places in its list of columns."""
    edges = set()
    for database in json.loads((folder / "tables.json").read_text("utf-8")):
        for pair in database["foreign_keys"]:
            (pointing, from_column), (key, to_column) = (
                database["column_names_original"][index] for index in pair
            )
            from_table, to_table = (
                database["table_names_original"][index] for index in (pointing, key)
            )
            schema = database["db_id"]
            edges.add(
                _lower(
                    Edge(
                        f"{schema}.{from_table}",
                        (from_column,),
                        f"{schema}.{to_table}",
                        (to_column,),
                    )
                )
            )
    return edges


def _in_lower_case(join: Join) -> Join:
    """Names in tables.json differ in case from those in the SQLite files."""
    return Join(_lower(join.edge), join.origin, join.confidence, join.why)


def _lower(edge: Edge) -> Edge:
    from_columns, to_columns = (
        tuple(map(str.lower, names)) for names in (edge.from_columns, edge.to_columns)
    )
    return Edge(edge.from_table.lower(), from_columns, edge.to_table.lower(), to_columns)


def _profile(state: Path, warehouse: Path) -> None:
    where = [
        "--project-dir",
        str(ROOT),
        "--profiles-dir",
        str(ROOT / "profiles"),
        "--target",
        "duckdb",
    ]
    written = ["--log-path", str(state / "logs"), "--target-path", str(state / "target")]
    command = [sys.executable, "-m", "dbt.cli.main", "--no-use-colors", "run", *where, *written]
    began = time.monotonic()
    # A process of its own, since dbt keeps the file open.
    done = subprocess.run(  # noqa: S603 - the command is our own
        [*command, "--select", "+linker_joins"],
        env={**os.environ, "LINKER_DUCKDB_PATH": str(warehouse)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    measured = [line.partition("OK ")[2] for line in done.stdout.splitlines() if "MEASURED" in line]
    write_lines(
        iter([*measured, f"dbt run --select +linker_joins took {time.monotonic() - began:.0f} s"])
    )


def _joins(connection: duckdb.DuckDBPyConnection) -> Iterator[Join]:
    for (
        from_table,
        from_columns,
        to_table,
        to_columns,
        origin,
        confidence,
        rule,
        containment,
        sampled,
    ) in connection.execute(JOINS).fetchall():
        edge = Edge(from_table, _names(from_columns), to_table, _names(to_columns))
        yield Join(
            edge, origin, confidence, f"{confidence:.2f} {rule}, {containment:.3f} of {sampled}"
        )


def _names(paths: str) -> tuple[str, ...]:
    """The paths of a JSON array; the truth does not quote a step that holds a dot."""
    return tuple(path.strip('"') for path in json.loads(paths))


def _written_edges(keys: Path, connection: duckdb.DuckDBPyConnection) -> set[Edge]:
    """Edges of a key file, with shards expanded to logical tables."""
    query = """
        select schema_name || '.' || table_name, schema_name || '.' || coalesce(family_name,
            table_name)
        from linker_tables
    """
    logical = dict(connection.execute(query).fetchall())
    edges = set()
    for file in sorted(keys.glob("*.yml")):
        for entry in yaml.safe_load(file.read_text("utf-8")):
            [key_table] = _logical_tables(entry["to"], logical)
            columns, key = tuple(entry["columns"]), tuple(entry["to_columns"])
            edges |= {
                Edge(name, columns, key_table, key)
                for name in _logical_tables(entry["from"], logical)
            }
    return edges


def _logical_tables(pattern: str, logical: dict[str, str]) -> set[str]:
    found = {logical[name] for name in fnmatch.filter(logical, pattern)}
    return found or sys.exit(f"{pattern} is no table of the warehouse")


def _figures(inferred: list[Join], true: set[Edge], known: set[Edge]) -> Iterator[str]:
    yield f"{len(true)} true edges to infer; {len(known)} are declared"
    yield "confidence    edges    right  precision   recall       F1"
    for threshold in THRESHOLDS:
        found = {join.edge for join in inferred if join.confidence >= threshold}
        yield f"    >= {threshold:.2f} {_measures(found, true)}"


def _figures_by_schema(inferred: list[Join], true: set[Edge]) -> Iterator[str]:
    schemas = sorted({edge.schema for edge in true})
    yield f"\n{'database':<20} true    edges    right  precision   recall       F1"
    for schema in schemas:
        wanted = {edge for edge in true if edge.schema == schema}
        found = {join.edge for join in inferred if join.edge.schema == schema}
        yield f"{schema:<20} {len(wanted):>4} {_measures(found, wanted)}"


def _measures(found: set[Edge], true: set[Edge]) -> str:
    right = len(true & found)
    precision, recall = right / max(1, len(found)), right / max(1, len(true))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return f"{len(found):>8} {right:>8} {precision:>10.3f} {recall:>8.3f} {f1:>8.3f}"


def _differences(inferred: list[Join], true: set[Edge]) -> Iterator[str]:
    wrong = [join for join in inferred if join.edge not in true]
    yield f"\n{len(wrong)} edges that are not in the truth"
    for join in sorted(wrong, key=lambda join: (-join.confidence, str(join.edge))):
        yield f"{join.edge}: {join.why}"
    missing = true - {join.edge for join in inferred}
    yield f"\n{len(missing)} true edges that are missing"
    yield from sorted(map(str, missing))


if __name__ == "__main__":
    main()
