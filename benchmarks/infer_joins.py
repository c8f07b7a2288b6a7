"""
Measures the inferred joins on the demo warehouse: enters a warehouse, leaves precision and recall on standard output.

The true foreign keys of the demo are written down beside it, in `linker/demo/foreign_keys/*.yml`, which the product
never reads. Edges are compared between logical tables. A key that the warehouse declares is no inference, and is left
out of both sides. The warehouse is built, or a copy of it taken, and dbt runs the package over it.
"""

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import yaml

ROOT = Path(__file__).resolve().parent.parent
THRESHOLDS = (0.55, 0.6, 0.7, 0.8, 0.9)
JOINS = """
    select
        from_schema || '.' || from_table, from_columns, to_schema || '.' || to_table, to_columns,
        origin, confidence, coalesce(name_rule, ''), coalesce(containment, 0), coalesce(sampled_values, 0)
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
        state = Path(folder) / "demo"
        state.mkdir()
        warehouse = state / "warehouse.duckdb"
        if options.warehouse:
            shutil.copyfile(options.warehouse, warehouse)
        else:
            _build(Path(folder))
        _profile(Path(folder))
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            connection.execute("set schema = 'main_linker'")
            joins = list(_joins(connection))
            true = _true_edges(connection)
    known = {join.edge for join in joins if join.origin != "inferred"}
    inferred = [join for join in joins if join.origin == "inferred"]
    _write(_figures(inferred, true - known, known))
    if options.show:
        _write(_differences(inferred, true - known))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--warehouse", type=Path, help="a demo warehouse; without it one is built")
    parser.add_argument("--show", action="store_true", help="print the edges that are wrong and those that are missing")
    return parser.parse_args()


def _build(state: Path) -> None:
    from linker.demo.warehouse import build_warehouse

    build_warehouse(state / "demo" / "warehouse.duckdb")


def _profile(state: Path) -> None:
    where = ["--project-dir", str(ROOT), "--profiles-dir", str(ROOT / "profiles"), "--target", "demo"]
    written = ["--log-path", str(state / "logs"), "--target-path", str(state / "target")]
    command = [sys.executable, "-m", "dbt.cli.main", "--no-use-colors", "run", *where, *written]
    began = time.monotonic()
    # A process of its own, since dbt keeps the file open.
    done = subprocess.run(  # noqa: S603 - the command is our own
        [*command, "--select", "+linker_joins"],
        env={**os.environ, "LINKER_STATE_DIR": str(state)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    measured = [line.partition("OK ")[2] for line in done.stdout.splitlines() if "MEASURED" in line]
    _write(iter([*measured, f"dbt run --select +linker_joins took {time.monotonic() - began:.0f} s"]))


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
        yield Join(edge, origin, confidence, f"{confidence:.2f} {rule}, {containment:.3f} of {sampled}")


def _names(paths: str) -> tuple[str, ...]:
    """The paths of a JSON array; the truth does not quote a step that holds a dot."""
    return tuple(path.strip('"') for path in json.loads(paths))


def _true_edges(connection: duckdb.DuckDBPyConnection) -> set[Edge]:
    """What is written down, with the logical table of every member that a star stands for."""
    query = """
        select schema_name || '.' || table_name, schema_name || '.' || coalesce(family_name, table_name)
        from linker_tables
    """
    logical = dict(connection.execute(query).fetchall())
    edges = set()
    for file in sorted((ROOT / "linker" / "demo" / "foreign_keys").glob("*.yml")):
        for entry in yaml.safe_load(file.read_text("utf-8")):
            [key_table] = {logical[name] for name in fnmatch.filter(logical, entry["to"])}
            tables = {logical[name] for name in fnmatch.filter(logical, entry["from"])}
            if not tables:
                sys.exit(f"{entry['from']} is no table of the warehouse")
            edges |= {Edge(name, tuple(entry["columns"]), key_table, tuple(entry["to_columns"])) for name in tables}
    return edges


def _figures(inferred: list[Join], true: set[Edge], known: set[Edge]) -> Iterator[str]:
    yield f"{len(true)} true edges to infer; {len(known)} are declared"
    yield "confidence    edges    right  precision   recall       F1"
    for threshold in THRESHOLDS:
        found = [join.edge for join in inferred if join.confidence >= threshold]
        right = len(true.intersection(found))
        precision, recall = right / max(1, len(found)), right / len(true)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        yield f"    >= {threshold:.2f} {len(found):>8} {right:>8} {precision:>10.3f} {recall:>8.3f} {f1:>8.3f}"


def _differences(inferred: list[Join], true: set[Edge]) -> Iterator[str]:
    wrong = [join for join in inferred if join.edge not in true]
    yield f"\n{len(wrong)} edges that are not in the truth"
    for join in sorted(wrong, key=lambda join: (-join.confidence, str(join.edge))):
        yield f"{join.edge}: {join.why}"
    missing = true - {join.edge for join in inferred}
    yield f"\n{len(missing)} true edges that are missing"
    yield from sorted(map(str, missing))


def _write(lines: Iterator[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
