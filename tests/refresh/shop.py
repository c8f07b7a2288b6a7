"""A small shop in a DuckDB file, and `linker` run on it."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

SHOP = """
    create schema sales;
    create table sales.orders as
        select range as order_id, range % 7 as customer_id, 'O' || range as order_no from range(40);
    create table sales.customers as select range as customer_id, 'name ' || range as full_name from range(7);
    create table sales.visits_20260101 as select range as visit_id, range % 7 as customer_id from range(11);
    create table sales.visits_20260102 as select range as visit_id, range % 7 as customer_id from range(12);
    create schema stock;
    create table stock.items as select range as item_id, 'item ' || range as item_name from range(9);
    create table stock.counts as
        select range % 9 as item_id, range as pieces, date '2026-01-01' + range::int as counted_on from range(30);
"""
PAUSE_SECONDS = 0.02


@dataclass(frozen=True)
class Shop:
    """A folder with the warehouse, its profiles.yml and the state of linker."""

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> "Shop":
        """A new, unprofiled one."""
        shop = cls(folder)
        shop.path.parent.mkdir(exist_ok=True)
        output = {"type": "duckdb", "path": str(shop.path), "schema": "main", "threads": 2}
        profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
        (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
        shop.execute(SHOP)
        return shop

    @property
    def path(self) -> Path:
        """The DuckDB file."""
        return self.folder / "disk" / "shop.duckdb"

    @property
    def variables(self) -> dict[str, str]:
        """The settings of `linker`, with nothing of the tester's own in sight."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("LINKER_")}
        settings = {
            "PROFILES_DIR": str(self.folder),
            "PROFILE": "shop",
            "STATE_DIR": str(self.folder / "state"),
        }
        return {
            **own,
            "HOME": str(self.folder),
            **{f"LINKER_{name}": value for name, value in settings.items()},
        }

    def execute(self, statements: str) -> None:
        """Change the warehouse, once no other process has it open."""
        with self._opened(read_only=False) as connection:
            connection.execute(statements)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Query it, once no process writes to it."""
        with self._opened(read_only=True) as connection:
            return connection.execute(query).fetchall()

    def run(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """`linker …` to its end."""
        return subprocess.run(
            command(*words),
            env={**self.variables, **variables},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def refresh(self, *words: str) -> dict[str, Any]:
        """A refresh that ends well, as the record of its run."""
        done = self.run("refresh", *words, "--format", "json")
        assert done.returncode in (0, 1), done.stderr
        record: dict[str, Any] = json.loads(done.stdout)
        return record

    def _opened(self, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        for _ in range(3000):
            with suppress(duckdb.IOException):
                return duckdb.connect(str(self.path), read_only=read_only)
            time.sleep(PAUSE_SECONDS)
        raise AssertionError(f"{self.path} is never free")


def command(*words: str) -> list[str]:
    """The command installed with this Python."""
    return [str(Path(sys.executable).with_name("linker")), *words]
