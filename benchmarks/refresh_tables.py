"""
Cost of a refresh beside a full one and the start of the command: `make bench-refresh`.

DuckDB warehouses: the demo and 2,000 generated tables; on request 10,000 such tables, and 100 and
1,000 tables of 20 columns and 1,000 rows. One percent of the tables changes, then something
unrelated, then nothing. Statements are those that read user data, as in `linker_runs`. The startup
of dbt is measured separately.
"""

# ruff: noqa: S608 - every name in the SQL is our own

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.generated_tables import statement_of
from linker.config.installed import dbt_project_dir

SHARE = 0.01
# As the product's own process begins: `linker.dbt.worker`.
DBT_BEGINS = """
import atexit, gc, os, sys
gc.disable()
from dbt.cli.main import dbtRunner
done = dbtRunner().invoke(["parse", "--no-write-json", "--log-level", "none", *sys.argv[1:]])
atexit._run_exitfuncs()
os._exit(not done.success)
"""
# What `nothing changed` may take beyond the start of the command.
AIM_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds by the wall and of the processors, and what the run says that it did."""

    wall: float
    processor: float
    # Of the largest of its processes, which is that of dbt where dbt runs; what this script needs
    # itself is the least.
    megabytes: int
    run: dict[str, Any]

    def row(self, name: str) -> str:
        """A line of the report."""
        figures = (
            self.run.get(key, 0) for key in ("scanned", "statements", "rows_read", "embedded")
        )
        start = f"| {name} | {self.wall:.1f} | {self.processor:.1f} | {self.megabytes:,} | "
        return start + " | ".join(f"{figure:,}" for figure in figures) + " |"


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with the state and the profiles of one warehouse."""

    folder: Path
    warehouse: Path
    flags: tuple[str, ...]

    def refresh(self, *words: str) -> Cost:
        """Run the command and return its cost."""
        return timed(["refresh", *self.flags, *words, "--format", "json"], self.folder)

    def profile(self, *words: str) -> Cost:
        """Profile again."""
        return timed(["profile", *self.flags, *words, "--format", "json"], self.folder)

    def begin(self) -> Cost:
        """Import dbt and let it read the project."""
        state = next(self.folder.rglob("dbt/target")).parent
        os.environ["LINKER_STATE_DIR"] = str(state.parent)
        words = ["--project-dir", str(dbt_project_dir()), "--target-path", str(state / "target")]
        words += ["--log-path", str(state / "logs"), "--profiles-dir"]
        is_demo = "demo" in self.flags
        words += (
            [str(dbt_project_dir() / "profiles")]
            if is_demo
            else [str(self.folder), "--profile", "bench"]
        )
        words += ["--target", "demo" if is_demo else "dev"]
        return ran([sys.executable, "-c", DBT_BEGINS, *words], self.folder)

    def touch(self) -> None:
        """Change the file without changing a table."""
        with duckdb.connect(str(self.warehouse)) as connection:
            connection.execute(f"create schema touched_{time.time_ns()}")

    def change(self) -> int:
        """Add a row to one percent of the tables, evenly spread; returns their number."""
        with duckdb.connect(str(self.warehouse)) as connection:
            rows = connection.execute(
                "select schema_name, table_name from duckdb_tables() where schema_name not like "
                "'%_linker' and estimated_size > 0 order by schema_name, table_name"
            ).fetchall()
            step = round(1 / SHARE)
            for schema, table in rows[step // 2 :: step]:
                name = f'"{schema}"."{table}"'
                connection.execute(f"insert into {name} select * from {name} limit 1")
        return len(rows[step // 2 :: step])


def timed(words: list[str], folder: Path) -> Cost:
    """Run `linker`; its seconds with those of all processes that it waited for."""
    return ran([str(Path(sys.executable).with_name("linker")), *words], folder)


def ran(command: list[str], folder: Path) -> Cost:
    """The same of any command."""
    # As installed: imported modules were compiled by an earlier run.
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE)  # noqa: S603 - our own
    output = process.stdout.read() if process.stdout else b""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    wall = time.perf_counter() - started
    run = json.loads(output) if output.startswith(b"{") else {}
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, run)


def demo(folder: Path) -> Bench:
    """The demo warehouse, profiled and indexed."""
    flags = ("--target", "demo", "--state-dir", str(folder / "state"))
    timed(["demo", "--state-dir", str(folder / "state")], folder)
    return Bench(folder, next((folder / "state").rglob("*.duckdb")), flags)


def narrow(folder: Path, count: int) -> Bench:
    """Many small tables of different shapes, so that no two form a family."""
    return generated(folder, map(_narrow_table, range(count)))


def _narrow_table(number: int) -> str:
    columns = [f"range as id_{number}"]
    for index in range(1 + number % 2):
        columns.append(f"range % {2 + index} as c{index}_{number}")
    return f"create table main.t{number}_of as select {', '.join(columns)} from range(200)"


def wide(folder: Path, count: int) -> Bench:
    """Tables of twenty columns and 1,000 rows, whose keys look like those of all others."""
    tables = (
        statement_of(f"entity_{number}", 1_000, 20, prefix=f"e{number}_") for number in range(count)
    )
    return generated(folder, ("create schema generated", *tables))


def generated(folder: Path, statements: Iterable[str]) -> Bench:
    """A warehouse of these tables, profiled and indexed."""
    path = folder / "many.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    output = {"type": "duckdb", "path": str(path), "schema": "main"}
    content = {"bench": {"target": "dev", "outputs": {"dev": output}}}
    (folder / "profiles.yml").write_text(json.dumps(content), "utf-8")
    flags = (
        "--profiles-dir",
        str(folder),
        "--profile",
        "bench",
        "--state-dir",
        str(folder / "state"),
    )
    bench = Bench(folder, path, flags)
    bench.refresh()
    return bench


WAREHOUSES: dict[str, Callable[[Path], Bench]] = {
    "demo": demo,
    "2000": lambda folder: narrow(folder, 2_000),
    "10000": lambda folder: narrow(folder, 10_000),
    "100x20": lambda folder: wide(folder, 100),
    "1000x20": lambda folder: wide(folder, 1_000),
}
USUAL = ("demo", "2000")


def report(name: str, bench: Bench, rounds: int) -> None:
    """The rows of one warehouse, the best of some rounds each."""
    start = best([timed(["--version"], bench.folder) for _ in range(rounds)])
    changed = []
    for _ in range(rounds):
        count = bench.change()
        changed.append(bench.refresh())
    touched = []
    for _ in range(rounds):
        bench.touch()
        touched.append(bench.refresh())
    nothing = best([bench.refresh() for _ in range(rounds)])
    begun = best([bench.begin() for _ in range(rounds)])
    # With another ceiling each time: what the run before saw does not count, so that dbt runs.
    by_dbt = best([bench.profile("--max-bytes", f"{10**15 + number}") for number in range(rounds)])
    bench.profile()
    profiled = best([bench.profile() for _ in range(rounds)])
    full = bench.refresh("--full")
    beyond = nothing.processor - start.processor
    beyond_dbt = best(changed).processor - begun.processor - start.processor
    lines = [
        f"\n{name}\n",
        (
            "| run | wall, s | processor, s | MB | tables scanned | statements | rows read | "
            "embedded |"
        ),
        "|---|---|---|---|---|---|---|---|",
        start.row("`linker --version`"),
        begun.row("dbt begins"),
        nothing.row("nothing changed"),
        best(touched).row("the file touched"),
        profiled.row("`profile`, nothing changed"),
        by_dbt.row("the same by dbt, with other limits"),
        best(changed).row(f"{count} tables changed"),
        full.row("`--full`"),
        f"\nnothing changed: {beyond:.1f} s of processor beyond the start (aim: {AIM_SECONDS:g})",
        f"{count} tables changed: {beyond_dbt:.1f} s of processor beyond both starts",
        (
            f"changed beside full: {best(changed).processor / full.processor:.2f} of its processor "
            "time\n"
        ),
    ]
    sys.stdout.write("\n".join(lines))


def best(costs: list[Cost]) -> Cost:
    """What was least disturbed."""
    return min(costs, key=lambda cost: cost.processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=WAREHOUSES, nargs="+", default=USUAL)
    arguments = parser.parse_args()
    for name in arguments.only:
        with tempfile.TemporaryDirectory() as folder:
            report(name, WAREHOUSES[name](Path(folder)), arguments.rounds)


if __name__ == "__main__":
    main()
