"""
SQL behind tables: definitions of views, and compiled dbt models; and what they tell about its rows.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from linker.catalog.column_metadata import Facts
from linker.catalog.description import column_name
from linker.catalog.snapshot import ProfiledCatalog
from linker.dbt.manifest import compiled_models, models_in_parts
from linker.environment import Environment
from linker.errors import LinkerError
from linker.text.words import readable
from linker.types import ColumnRef, Table, TableRef

if TYPE_CHECKING:
    from linker.sql_analysis import Tables
    from linker.sql_analysis.contents import Contents, Filter

# View definitions by dialect; the last is standard SQL.
_DEFINITIONS = (
    "select schemaname, viewname, definition from pg_catalog.pg_views where definition is not null"
    " union all select schemaname, matviewname, definition from pg_catalog.pg_matviews",
    "select schemaname, viewname, definition from pg_catalog.pg_views where definition is not null",
    "select table_schema, table_name, view_definition from information_schema.views"
    " where view_definition is not null",
)
_LONGEST_FILTERS = 120
_MAX_GRAIN = 4
# Comments that tell the grain.
_TELLS_GRAIN = re.compile(r"\b(?:per|each|every|one row|pro|je)\b", re.IGNORECASE)


def read_definitions(environment: Environment) -> Mapping[TableRef, str]:
    """SQL of views and of compiled dbt models."""
    tables = environment.indexed.catalog.table_by_ref
    models = compiled_models(environment.settings, environment.target)
    texts = {ref: sql for ref, sql in models.items() if ref in tables}
    return {**texts, **_definitions_of_views(environment)}


def _definitions_of_views(environment: Environment) -> Mapping[TableRef, str]:
    tables = environment.indexed.catalog.table_by_ref
    if not any("view" in table.kind for table in tables.values()):
        return {}
    session = environment.warehouse.session
    for statement in _DEFINITIONS:
        with suppress(LinkerError):
            rows = session.query(statement)
            refs = [(TableRef(str(row[0]), str(row[1])), str(row[2])) for row in rows]
            return {ref: text for ref, text in refs if ref in tables}
    return {}


def _nothing_read(_: ProfiledCatalog) -> "dict[str, Mapping[TableRef, str]]":
    return {}


def _no_contents(_: ProfiledCatalog) -> "dict[TableRef, Contents]":
    return {}


def _tables_in(profiled: ProfiledCatalog, dialect: str) -> "Tables":
    from linker.sql_analysis import MergedTables, Tables

    return Tables(MergedTables.create(dialect, profiled.catalog))


class TableContents:
    """Filters and grain of tables whose SQL is known; it is read once per scan."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._texts = environment.derive(_nothing_read)
        self._contents = environment.derive(_no_contents)

    def text(self, table: Table) -> str:
        """
        For example `; only rows with status = 'paid'; one row per product, month`, unless its
        comment or key tells the grain.
        """
        contents = self._read(table)
        facts = self._environment.indexed.facts
        filters, is_whole = _shown(contents.filters, facts)
        text = f"; only rows with {', '.join(filters)}" if filters else ""
        text += " and more" if filters and (contents.is_partial or not is_whole) else ""
        columns = [ref for ref in map(table.column_by_path.get, contents.grain) if ref]
        keys = [facts.get(ColumnRef(table.ref, item.path)).is_primary_key for item in columns]
        is_told = bool(_TELLS_GRAIN.search(table.description or "")) or all(keys)
        if is_told or not len(columns) == len(contents.grain) <= _MAX_GRAIN:
            return text
        return f"{text}; one row per {', '.join(column_name(item.path) for item in columns)}"

    def _read(self, table: Table) -> "Contents":
        """Contents of a table; nothing if the warehouse is unavailable."""
        from linker.sql_analysis.contents import Contents, read_contents

        may_be_known = "view" in table.kind or table.dbt.path.endswith(".sql")
        if table.ref not in self._contents and may_be_known:
            with suppress(LinkerError):
                sql = self._definitions().get(table.ref, "")
                tables = self._environment.derive(_tables_in, self._environment.dialect)
                self._contents[table.ref] = read_contents(sql, tables) if sql else Contents()
        return self._contents.get(table.ref) or Contents()

    def _definitions(self) -> Mapping[TableRef, str]:
        """SQL that tells all rows of a table, so not that of incremental models."""
        if "" not in self._texts:
            environment = self._environment
            parts = models_in_parts(environment.settings, environment.target)
            texts = read_definitions(environment)
            self._texts[""] = {ref: sql for ref, sql in texts.items() if ref not in parts}
        return self._texts[""]


def _shown(filters: "tuple[Filter, ...]", facts: Facts) -> tuple[list[str], bool]:
    """Filters on columns whose values may be shown, as far as they fit; and whether that is all."""
    shown, length = list[str](), 0
    for item in filters:
        length += len(item.text)
        if (
            all(_has_shown_values(facts, ref) for ref in item.columns)
            and length <= _LONGEST_FILTERS
        ):
            shown.append(readable(item.text))
    return shown, len(shown) == len(filters)


def _has_shown_values(facts: Facts, ref: ColumnRef) -> bool:
    known = facts.get(ref)
    return bool(known.values or known.days) and not known.is_masked
