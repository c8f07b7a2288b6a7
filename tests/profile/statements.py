"""
Scans tables of an in-memory DuckDB with the statements that dbt renders.

Statements pass through batches and portions as in a run; only the dbt process is left out.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import yaml
from msgspec import Struct

from tests.rendering import Rendering

SEPARATOR = "-- the next statement --"
# dbt renders a text twice, first only to learn what it refers to.
STATEMENTS = """
{%- set entries = [] -%}
{%- if execute -%}
{%- set rules = linker.privacy_rules() -%}
{%- for entry in var('entries') -%}
    {%- do entries.append(dict(entry, columns=linker.with_privacy(entry.table, entry.columns, rules))) -%}
{%- endfor -%}
{%- set forms = {} -%}
{%- for batch in linker.scan_batches(entries, forms) -%}
    {%- for portions in linker.scan_portions(batch, forms) -%}
        {%- for statements in linker.fitting_statements(api.Relation.create(identifier=var('journal')), portions) -%}
            {%- set sent = linker.guarded(statements, 'select 1') if var('is_guarded', false) else statements -%}
            {{- sent | join(';\n') }}
-- the next statement --
        {%- endfor -%}
    {%- endfor -%}
{%- endfor -%}
{%- endif -%}
"""
Profile = dict[str, Any]


class ScannedTable(Struct, frozen=True):
    """A table or family as in the plan; `columns` are (name, path, depth, type)."""

    name: str
    row_count: int | None = 1
    kind: str = "table"
    read_percent: float = 100
    columns: Sequence[tuple[str, str, int, str]] | None = None
    members: tuple[str, ...] = ()
    state: str = "new"

    def entry(
        self, place: int, database: str, columns: Sequence[tuple[str, str, int, str]]
    ) -> dict[str, Any]:
        """As the materialization makes one out of a row of the plan."""
        names = ("column_name", "column_path", "depth", "data_type")
        return {
            "place": place,
            "state": self.state,
            "attempt_id": f"run.{place}",
            "table": {
                "database_name": database,
                "schema_name": "main",
                "table_name": self.name,
                "table_kind": self.kind,
                "members": list(self.members or [self.name]),
                "fingerprint": f"state of {self.name}",
                "row_count": self.row_count,
                "byte_count": None,
                "read_percent": self.read_percent,
            },
            "columns": [dict(zip(names, column, strict=True)) for column in columns],
        }


class Scanner:
    """A DuckDB in memory with a journal, and the rendered project."""

    def __init__(
        self, rendering: Rendering, connection: duckdb.DuckDBPyConnection, checkout: Path
    ) -> None:
        self.connection = connection
        self._rendering = rendering
        [model] = yaml.safe_load(
            (checkout / "models" / "scans" / "linker_scans.yml").read_text("utf-8")
        )["models"]
        self._types = {one["name"]: _duckdb_type(one["data_type"]) for one in model["columns"]}
        columns = ", ".join(f"{name} {kind}" for name, kind in self._types.items())
        connection.execute(f"create or replace table journal ({columns})")

    def rendered(self, *templates: str) -> list[str]:
        """Jinja texts as dbt renders them."""
        return self._rendering.expressions(*templates)

    def statements(self, *tables: ScannedTable, **variables: object) -> list[str]:
        """The statements that scan these tables, in their order."""
        entries = [
            table.entry(place, "memory", table.columns or self._columns(table))
            for place, table in enumerate(tables, start=1)
        ]
        rendered = self._rendering.expression(
            STATEMENTS, entries=entries, journal="journal", **variables
        )
        return [text.strip() for text in rendered.split(SEPARATOR) if text.strip()]

    def execute(self, statements: Sequence[str]) -> dict[tuple[str, str], Profile]:
        """What they measure, by table and path, with the JSON read."""
        self.connection.execute("delete from journal")
        for statement in statements:
            self.connection.execute(statement)
        return {(row["table_name"], row["column_path"]): row for row in self._rows()}

    def scan(
        self, table: str, row_count: int | None = 1, **variables: object
    ) -> dict[str, Profile]:
        """What a scan measures of one table, by path."""
        found = self.execute(self.statements(ScannedTable(table, row_count), **variables))
        return {path: profile for (_, path), profile in found.items()}

    def table_scans(self, statement: str) -> list[str]:
        """The tables that the plan of a statement reads, once for each time."""
        [[_, plan]] = self.connection.execute(f"explain (format json) {statement}").fetchall()
        return sorted(_scans_in(json.loads(plan)))

    def _rows(self) -> Iterator[Profile]:
        for row in self.connection.execute(
            f"select {', '.join(self._types)} from journal"
        ).fetchall():
            profile = dict(zip(self._types, row, strict=True))
            for name in ("top_values", "patterns", "quantiles"):
                profile[name] = json.loads(profile[name]) if profile[name] is not None else None
            for name in ("top_values", "patterns"):
                if profile[name] is not None:
                    profile[name] = [(one["value"], one["count"]) for one in profile[name]]
            yield profile

    def _columns(self, table: ScannedTable) -> list[tuple[str, str, int, str]]:
        found = self.connection.execute(
            "select column_name, data_type from duckdb_columns() where table_name = ? order by column_index",
            [*(table.members or [table.name])][:1],
        ).fetchall()
        return [(name, _path(name), 0, data_type) for name, data_type in found]


def _path(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "." in name or '"' in name else name


def _duckdb_type(data_type: str) -> str:
    return "double" if data_type.startswith("{{") else data_type.replace("string", "varchar")


def _scans_in(nodes: Sequence[dict[str, Any]]) -> Iterator[str]:
    for node in nodes:
        table = node["extra_info"].get("Table")
        if "SCAN" in node["name"] and table:
            yield table.rsplit(".", maxsplit=1)[-1].strip('"')
        yield from _scans_in(node["children"])


MakeScanner = Callable[[], Scanner]
