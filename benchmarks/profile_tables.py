"""
Cost and accuracy of profiling.

DuckDB tables are generated: one long, one wide, a thousand small, a daily family. Our scan is the
product's, minus the dbt cost on an empty warehouse. Competitors read the same file: `summarize`,
one select per column, one query per column and measure; they compute the same measures as far as
single aggregates can. They alternate for several rounds and the best time counts.
"""

# ruff: noqa: S608 - every name in the SQL is our own

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.accuracy_of_profiles import accuracy
from benchmarks.generated_tables import SCHEMA, SHAPES, generate
from benchmarks.progress_line import write_lines
from linker.dbt.profiling import DbtTarget, profile_warehouse

ARTIFACTS = "main_linker"
TOP_VALUES = 25
QUANTILES = [round(0.05 * index, 2) for index in range(21)]
NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one way of profiling took."""

    seconds: float
    processor_seconds: float
    statements: int
    rows_read: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a generated table, quoted, and the rows of its table."""

    relation: str
    rows: int
    name: str
    data_type: str


class Clock:
    """
    Time since it was made: by the wall, and spent by the processors in this process or its
    children.
    """

    def __init__(self, whose: int) -> None:
        self._whose = whose
        self._started = (time.perf_counter(), self._processor_seconds())

    def _processor_seconds(self) -> float:
        used = resource.getrusage(self._whose)
        return used.ru_utime + used.ru_stime

    def read(self) -> tuple[float, float]:
        """Both in seconds."""
        return time.perf_counter() - self._started[0], self._processor_seconds() - self._started[1]


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with warehouses, and the dbt profile that reaches them."""

    folder: Path

    def warehouse(self, shape: str) -> Path:
        """The DuckDB file of a shape."""
        return self.folder / f"{shape}.duckdb"

    def profile(self, shape: str) -> tuple[float, float]:
        """Run the product; the seconds that it took, and those of the processors."""
        clock = Clock(resource.RUSAGE_CHILDREN)
        profile_warehouse(DbtTarget(self.folder, "bench", shape, self.folder / "state"))
        return clock.read()

    def write_profiles(self, shapes: list[str]) -> None:
        """Write profiles.yml, one target a shape."""
        outputs = {
            shape: {"type": "duckdb", "path": str(self.warehouse(shape)), "schema": "main"}
            for shape in shapes
        }
        content = {"bench": {"target": shapes[0], "outputs": outputs}}
        (self.folder / "profiles.yml").write_text(json.dumps(content), "utf-8")


def main() -> None:
    options = _options()
    # As where it is installed: modules are compiled by the first start, which is not measured, and
    # stay so.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Bench(Path(folder))
        bench.write_profiles(["empty", *options.shapes])
        duckdb.connect(str(bench.warehouse("empty"))).close()
        for shape in options.shapes:
            generate(bench.warehouse(shape), SHAPES[shape], options.scale)
        write_lines(_described(bench, options))
        # The first start parses the project; the others find it parsed.
        bench.profile("empty")
        for shape in options.shapes:
            write_lines(_measured(bench, shape, options))
        for shape in options.accuracy:
            write_lines(accuracy(bench.warehouse(shape), ARTIFACTS))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument(
        "--shapes", nargs="+", choices=SHAPES, default=list(SHAPES), help="which tables (all)"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the rows, and of the many tables"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each way is tried")
    parser.add_argument("--ours-only", action="store_true", help="leave out the others")
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the temporary warehouses go"
    )
    options = parser.parse_args()
    options.accuracy = [shape for shape in ("long",) if shape in options.shapes]
    return options


def _described(bench: Bench, options: argparse.Namespace) -> Iterator[str]:
    yield f"DuckDB {duckdb.__version__}, scale {options.scale:g}, best of {options.rounds} rounds"
    for shape in options.shapes:
        with duckdb.connect(str(bench.warehouse(shape)), read_only=True) as connection:
            columns = _columns(connection)
        tables = {column.relation: column.rows for column in columns}
        yield (
            f"  {shape}: {_count(len(tables), 'table')}, {sum(tables.values()):,} rows, "
            f"{_count(len(columns), 'column')}, "
            f"{sum(column.rows for column in columns) / 1e6:,.1f} M cells, "
            f"{bench.warehouse(shape).stat().st_size / 1e6:,.0f} MB"
        )


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _measured(bench: Bench, shape: str, options: argparse.Namespace) -> Iterator[str]:
    """All ways over one shape, round by round."""
    ways = {} if options.ours_only else OTHER_WAYS
    costs: dict[str, list[Cost]] = {
        name: [] for name in ("dbt alone", "linker", "linker again", *ways)
    }
    for _ in range(options.rounds):
        costs["dbt alone"].append(Cost(*bench.profile("empty"), 0, 0))
        with duckdb.connect(str(bench.warehouse(shape))) as connection:
            connection.execute(f"drop schema if exists {ARTIFACTS} cascade")
        for name in ("linker", "linker again"):
            costs[name].append(_cost_of_run(bench, shape))
        for name, statements in ways.items():
            costs[name].append(_cost_of_statements(bench.warehouse(shape), statements))
    return _figures(shape, costs)


def _cost_of_run(bench: Bench, shape: str) -> Cost:
    took = bench.profile(shape)
    with duckdb.connect(str(bench.warehouse(shape)), read_only=True) as connection:
        newest = connection.execute(
            f"select statement_count, rows_read from {ARTIFACTS}.linker_runs order by started_at "
            "desc limit 1"
        )
        [(statements, rows)] = newest.fetchall()
    return Cost(*took, statements, rows)


def _cost_of_statements(
    path: Path, statements: Callable[[list[Column]], list[tuple[str, int]]]
) -> Cost:
    clock = Clock(resource.RUSAGE_SELF)
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("set enable_progress_bar = false")
        executed = statements(_columns(connection))
        for statement, _ in executed:
            connection.execute(statement).fetchall()
    return Cost(*clock.read(), len(executed), sum(rows for _, rows in executed))


def _columns(connection: duckdb.DuckDBPyConnection) -> list[Column]:
    found = connection.execute(
        """
        select format('"{}"."{}"', schema_name, table_name), estimated_size, format('"{}"',
            column_name), data_type
        from duckdb_columns() inner join duckdb_tables() using (database_name, schema_name,
            table_name)
        where schema_name = ? order by table_name, column_index
        """,
        [SCHEMA],
    )
    return [Column(*row) for row in found.fetchall()]


def _summaries(columns: list[Column]) -> list[tuple[str, int]]:
    relations = dict.fromkeys((column.relation, column.rows) for column in columns)
    return [(f"summarize {relation}", rows) for relation, rows in relations]


def _one_select_a_column(columns: list[Column]) -> list[tuple[str, int]]:
    statements = []
    for column in columns:
        measures = ["count(*)", *(measure.format(column.name) for measure in _measures(column))]
        top_values = f"select list(value) from ({_top_values(column)})"
        statements.append(
            (
                f"select {', '.join(measures)}, ({top_values}) from {column.relation}",
                column.rows * 2,
            )
        )
    return statements


def _one_query_a_measure(columns: list[Column]) -> list[tuple[str, int]]:
    statements = []
    for column in columns:
        statements += [
            (f"select {measure.format(column.name)} from {column.relation}", column.rows)
            for measure in ["count(*)", *_measures(column)]
        ]
        statements.append((_top_values(column), column.rows))
    return statements


def _measures(column: Column) -> list[str]:
    measures = ["count({})", "count(distinct {})", "min({})", "max({})"]
    if column.data_type.startswith(NUMBERS):
        measures += ["avg({})", "stddev_samp({})"]
    if column.data_type.startswith((*NUMBERS, "DATE", "TIMESTAMP")):
        measures.append(f"approx_quantile({{}}, {QUANTILES})")
    if column.data_type == "VARCHAR":
        measures += ["avg(length({}))"]
    return measures


def _top_values(column: Column) -> str:
    return (
        f"select {column.name} as value, count(*) as value_count from {column.relation} "
        f"group by value order by value_count desc limit {TOP_VALUES}"
    )


OTHER_WAYS = {
    "summarize": _summaries,
    "select a column": _one_select_a_column,
    "query a measure": _one_query_a_measure,
}


def _figures(shape: str, tries: dict[str, list[Cost]]) -> Iterator[str]:
    best = {name: min(costs, key=lambda cost: cost.seconds) for name, costs in tries.items()}
    start = best.pop("dbt alone")
    net = {
        name: cost.seconds - (start.seconds if name.startswith("linker") else 0)
        for name, cost in best.items()
    }
    yield (
        f"\n{shape}: dbt alone, on an empty warehouse, {start.seconds:.2f} s "
        f"({start.processor_seconds:.2f} s of the processors), is taken off in the column net"
    )
    yield (
        "  "
        f"{'':<16}{'whole':>9}{'processor':>11}{'net':>9}{'of ours':>9}{'statements':>12}"
        f"{'rows read':>16}"
    )
    for name, cost in best.items():
        share = f"{net[name] / net['linker']:.2f}" if net["linker"] > 0 else "-"
        yield (
            "  "
            f"{name:<16}{cost.seconds:>8.2f}s{cost.processor_seconds:>10.2f}s{net[name]:>8.2f}s"
            f"{share:>9}{cost.statements:>12,}{cost.rows_read:>16,}"
        )


if __name__ == "__main__":
    main()
