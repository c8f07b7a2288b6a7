"""Runs of the shipped project over a DuckDB file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from linker.catalog.read_catalog import Artifacts, read_catalog
from linker.config.target import Target
from linker.dbt.profiling import DbtTarget, ProfileReport, plan_scans, profile_warehouse
from linker.history.runs import read_states
from linker.types import TableRef, TableState
from linker.warehouses import open_warehouse

Row = dict[str, Any]
NOTHING: Mapping[str, object] = {}
ARTIFACTS = (
    "linker_plan",
    "linker_scans",
    "linker_attempts",
    "linker_runs",
    "linker_families",
    "linker_joins",
)
# What the run with limits leaves out by its vars; `select` lies in another schema.
EXCLUDED = {
    "small_1",
    "small_2",
    "wide",
    "broken",
    "select",
    "extended",
    "clients_*",
    "log_*",
    "survey_*",
    "coupons_*",
}
PROFILES = ("linker_profile_l1", "linker_profile_l2", "linker_profile_l3", "linker_columns")


@dataclass(frozen=True)
class Run:
    """One run's output, log and profile tables."""

    report: ProfileReport
    log: str
    artifacts: Mapping[str, list[Row]]
    earlier_runs: frozenset[str]
    states: Mapping[TableRef, TableState]
    schemas: frozenset[str]

    def events(self, *names: str) -> list[tuple[str, str]]:
        """The tables of those events of this run, in order, each with the event."""
        rows = sorted(self.artifacts["linker_attempts"], key=lambda row: row["happened_at"])
        return [
            (row["event"], row["table_name"])
            for row in rows
            if row["run_id"] not in self.earlier_runs and row["event"] in names
        ]

    def scanned(self) -> set[str]:
        """The tables of which this run read data."""
        return {table for _, table in self.events("started")}

    def scan_statements(self) -> list[str]:
        """The statements in dbt's log that add to the scans."""
        return re.findall(
            r'insert into "warehouse"\."main_linker"\."linker_scans" \(attempt_id.*?(?=\n\S*\d\d:)',
            self.log,
            re.S,
        )

    def state(self, table: str) -> tuple[str, str]:
        """What the plan says of a table: state and reason."""
        [found] = [row for row in self.artifacts["linker_plan"] if row["table_name"] == table]
        return found["state"], found["reason"]

    def column(self, artifact: str, table: str, path: str) -> Row:
        """The one row of a column in an artifact."""
        [found] = [
            row
            for row in self.artifacts[artifact]
            if row["table_name"] == table and row["column_path"] == path
        ]
        return found

    def scan(self, table: str, path: str) -> Row:
        """What the newest scan measured of a column."""
        return max(
            (
                row
                for row in self.artifacts["linker_scans"]
                if (row["table_name"], row["column_path"]) == (table, path)
            ),
            key=lambda row: row["scanned_at"],
        )


class Warehouse:
    """A DuckDB file that dbt and the test open in turns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "warehouse.duckdb"
        target = f"type: duckdb, path: '{self.path}', schema: main, threads: 2"
        (folder / "profiles.yml").write_text(
            f"shop: {{target: dev, outputs: {{dev: {{{target}}}}}}}", "utf-8"
        )

    def target(self, variables: Mapping[str, object], *, full_refresh: bool = False) -> DbtTarget:
        """As the command makes it."""
        return DbtTarget(self.folder, "shop", "dev", self.folder / "state", variables, full_refresh)

    def execute(self, statements: str) -> None:
        """Change the warehouse."""
        with duckdb.connect(str(self.path)) as connection:
            connection.execute(statements)

    def fetch(self, query: str) -> list[tuple[Any, ...]]:
        """What a query gives."""
        with duckdb.connect(str(self.path), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def profile(
        self, variables: Mapping[str, object] = NOTHING, *, full_refresh: bool = False
    ) -> Run:
        """A run of `linker profile`."""
        earlier = self._forget_log()
        report = profile_warehouse(self.target(variables, full_refresh=full_refresh))
        return self.look(report, earlier)

    def plan(self, variables: Mapping[str, object]) -> Run:
        """A run of `linker profile --plan`."""
        earlier = self._forget_log()
        return self.look(plan_scans(self.target(variables)), earlier)

    def look(self, report: ProfileReport, earlier: frozenset[str] = frozenset()) -> Run:
        """What lies in the artifacts now."""
        with duckdb.connect(str(self.path), read_only=True) as connection:
            rows = {name: _rows(connection, name) for name in (*ARTIFACTS, *PROFILES)}
            schemas = connection.execute(
                "select schema_name from duckdb_schemas() where not internal"
            ).fetchall()
        schema_names = frozenset(name for (name,) in schemas)
        return Run(report, self.log.read_text("utf-8"), rows, earlier, self._states(), schema_names)

    def everything(self) -> str:
        """All text kept of the warehouse: profile tables, dbt's output, run history."""
        with duckdb.connect(str(self.path), read_only=True) as connection:
            names = connection.execute(
                "select table_name from information_schema.tables where table_schema = 'main_linker'"
            ).fetchall()
            texts = [repr(_rows(connection, name)) for (name,) in names]
        files = [path for path in (self.folder / "state").rglob("*") if path.is_file()]
        return "\n".join(
            [
                *texts,
                repr(self._states()),
                *(path.read_text("utf-8", errors="replace") for path in files),
            ]
        )

    @property
    def log(self) -> Path:
        """What dbt did, statement by statement."""
        return self.folder / "state" / "dbt" / "logs" / "dbt.log"

    def _states(self) -> dict[TableRef, TableState]:
        """What a run keeps of the tables."""
        opened = open_warehouse(
            Target("shop", "dev", "duckdb", "main", self.folder, {"path": str(self.path)})
        )
        try:
            artifacts = Artifacts(opened, "main_linker")
            has_profiles = artifacts.holds("linker_profile_l3")
            return read_states(artifacts, read_catalog(artifacts)) if has_profiles else {}
        finally:
            opened.close()

    def _forget_log(self) -> frozenset[str]:
        self.log.unlink(missing_ok=True)
        if not self.path.exists():
            return frozenset()
        with duckdb.connect(str(self.path), read_only=True) as connection:
            return frozenset(row["run_id"] for row in _rows(connection, "linker_attempts"))


def _rows(connection: duckdb.DuckDBPyConnection, artifact: str) -> list[Row]:
    if not connection.execute(
        "select 1 from duckdb_tables() where table_name = ?", [artifact]
    ).fetchall():
        return []
    found = connection.execute(f"select * from main_linker.{artifact}")
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def tables(names: Iterable[tuple[str, str]]) -> set[str]:
    """The tables of events."""
    return {table for _, table in names}
