"""The consumer project: runs the package on a target and opens the profiled warehouse."""

import csv
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.warehouse.servers import WarehouseServer

HERE = Path(__file__).resolve().parent
SELECTED = ("package:linker", "hostile_texts", "table_changes")
SECONDS_TO_RUN = 900


@dataclass(frozen=True)
class Consumer:
    """
    A dbt project of somebody else, which lists the repository as a package, and one of its targets.
    """

    folder: Path
    target: str
    server: WarehouseServer
    # Of another dbt than that of these tests.
    executable: str = ""

    def dbt(self, *words: str) -> str:
        """Run dbt in a separate process; returns its output."""
        return run_dbt(
            self.folder,
            *words,
            "--target",
            self.target,
            "--target-path",
            f"target/{self.target}",
            "--log-path",
            f"logs/{self.target}",
            executable=self.executable,
            **self.server.environment,
        )

    def set_up(self) -> None:
        """Fill the warehouse."""
        self.server.execute((HERE / "setup" / f"{self.target}.sql").read_text("utf-8"))

    def rows(self, artifact: str, columns: list[str]) -> list[list[str]]:
        """Those columns of an artifact as text, in order."""
        listed = ", ".join(f"cast({column} as {self.server.text_type})" for column in columns)
        return sorted(self.server.fetch(f"select {listed} from {self.server.artifacts}.{artifact}"))

    def both(self, artifact: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        """What was worked out by hand, and those columns of the artifact, by column."""
        columns, expected = self.expected(artifact)
        named = []
        for rows in (expected, self.rows(artifact, columns)):
            named.append([dict(zip(columns, row, strict=True)) for row in rows])
        return named[0], named[1]

    def expected(self, artifact: str) -> tuple[list[str], list[list[str]]]:
        """Expected columns and rows, of all targets and of this one."""
        header: list[str] = []
        rows: list[list[str]] = []
        for file in (
            HERE / "expected" / f"{artifact}.csv",
            HERE / "expected" / self.target / f"{artifact}.csv",
        ):
            if file.exists():
                with file.open(encoding="utf-8", newline="") as opened:
                    columns, *values = list(csv.reader(opened))
                assert header in ([], columns), f"{file} has other columns"
                header = columns
                rows += values
        return header, sorted(rows)


def run_dbt(folder: Path, *words: str, executable: str = "", **variables: str) -> str:
    """Run dbt in a folder, that of these tests or an executable; what it printed."""
    printed, code = try_dbt(folder, *words, executable=executable, **variables)
    assert code == 0, printed
    return printed


def try_dbt(folder: Path, *words: str, executable: str = "", **variables: str) -> tuple[str, int]:
    """The same of a run that may fail: what it printed, and its exit code."""
    command = [
        executable or str(Path(sys.executable).with_name("dbt")),
        "--no-send-anonymous-usage-stats",
        "--no-use-colors",
        *words,
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS_TO_RUN,
    )
    return done.stdout, done.returncode


def stand_ins() -> dict[str, list[str]]:
    """By emulator file, the macros of the product that it replaces."""
    return {
        file.name: re.findall(r"{%-?\s*macro\s+([a-z]+__\w+)\(", file.read_text("utf-8"))
        for file in sorted((HERE / "consumer" / "macros").glob("*_emulator.sql"))
    }


def what_stood_in() -> list[str]:
    """Overridden macros, which only golden files cover."""
    return [
        *(f"{file}: {', '.join(macros)}" for file, macros in stand_ins().items()),
        "bigquery_create_table.sql, snowflake_show_objects.sql: one macro of dbt's own each",
        "servers/snowflake.py: the views that fakesnow leaves out of information_schema.tables",
        "servers/bigquery.py: JSON and descriptions of columns, which bqemulator forgets of a table made by SQL",
    ]
