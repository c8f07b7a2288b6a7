"""
Statements that would run forever or exhaust memory, and how the limits of probes end them: `make
bench-bombs`.

Each runs on real DuckDB and Postgres, and the session must answer the next statement. Results are
in benchmarks/safety/bombs.json.
"""

import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import duckdb
import psutil
import yaml
from psycopg.conninfo import conninfo_to_dict

from linker.config.target import Target
from linker.errors import WarehouseError
from linker.index.embedded import start_postgres
from linker.sql_policy.guard import ProbeLimits
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds

SAFETY = Path(__file__).resolve().parent / "safety"
BOMBS: dict[str, dict[str, str]] = yaml.safe_load((SAFETY / "bombs.yml").read_text("utf-8"))


@dataclass(frozen=True)
class Ended:
    """Time until a statement ended, how it ended, and the process's growth in bytes."""

    seconds: float
    how: str
    grown_bytes: int


def tried(warehouse: Warehouse, sql: str, seconds: int) -> Ended:
    """Run a statement, which must fail."""
    with peak_of_memory() as peak:
        started = perf_counter()
        try:
            how = f"{len(warehouse.query(sql, (), Bounds(seconds=seconds)))} rows"
        except WarehouseError as error:
            how = error.what
        ended = perf_counter() - started
    return Ended(ended, how, peak[0])


@contextmanager
def peak_of_memory() -> Iterator[list[int]]:
    """Maximum growth of this process in the block."""
    process, grown, is_over = psutil.Process(), [0], threading.Event()
    before = process.memory_info().rss

    def watch() -> None:
        while not is_over.wait(0.01):
            grown[0] = max(grown[0], process.memory_info().rss - before)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield grown
    finally:
        is_over.set()
        thread.join()


@contextmanager
def targets() -> Iterator[dict[str, Target]]:
    """A file of DuckDB and a server of Postgres, both empty."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        duckdb.connect(str(folder / "empty.duckdb")).close()
        server = start_postgres(folder / "postgres")
        try:
            host = conninfo_to_dict(server.url)["host"]
            postgres = {"host": host, "port": 5432, "user": "postgres", "dbname": "postgres"}
            yield {
                "duckdb": Target(
                    "p", "duckdb", "duckdb", "main", folder, {"path": str(folder / "empty.duckdb")}
                ),
                "postgres": Target("p", "postgres", "postgres", "public", folder, postgres),
            }
        finally:
            server.stop()


def main() -> None:
    seconds = ProbeLimits().seconds
    rows = []
    with targets() as opened:
        for kind, target in opened.items():
            warehouse = open_warehouse(target)
            # The first statement imports the parser.
            warehouse.query("select 1")
            for name, sql in BOMBS[kind].items():
                ended = tried(warehouse, sql, seconds)
                if warehouse.query("select 1") != [(1,)]:
                    raise SystemExit(f"{kind} does not answer any more after: {name}")
                rows.append(
                    [kind, name, round(ended.seconds, 1), ended.how, ended.grown_bytes // 1_000_000]
                )
                sys.stdout.write(" | ".join(map(str, rows[-1])) + "\n")
            warehouse.close()
    table = {
        "title": "Statements without end, or with excessive memory",
        "command": "make bench-bombs",
        "date": datetime.now(UTC).date().isoformat(),
        "note": (
            f"Each may take {seconds} seconds, like a probe. The same session answered the next "
            "statement."
        ),
        "columns": [
            "warehouse",
            "statement",
            "seconds",
            "error",
            "growth of linker, MB",
        ],
        "rows": rows,
    }
    (SAFETY / "bombs.json").write_text(
        json.dumps(table, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
