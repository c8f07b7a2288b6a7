"""
SQL behind tables: definitions of views, and compiled dbt models; and what they tell about its rows.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
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
    return {**_read_models(environment), **_definitions_of_views(environment)}


def _read_models(environment: Environment) -> Mapping[TableRef, str]:
    tables = environment.indexed.catalog.table_by_ref
    models = compiled_models(environment.settings, environment.target)
    return {ref: sql for ref, sql in models.items() if ref in tables}


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


@dataclass(eq=False)
class _KnownSql:
    """SQL of tables by dbt's models and by the warehouse's views; None until read."""

    models: Mapping[TableRef, str] | None = None
    views: Mapping[TableRef, str] | None = None


def _nothing_read(_: ProfiledCatalog) -> _KnownSql:
    return _KnownSql()


def _no_contents(_: ProfiledCatalog) -> "dict[str, Contents]":
    return {}


def _tables_in(profiled: ProfiledCatalog, dialect: str) -> "Tables":
    from linker.sql_analysis import MergedTables, Tables

    return Tables(MergedTables.create(dialect, profiled.catalog))


class TableContents:
    """
    Filters and grain of tables whose SQL is known, read once per scan. `is_offline`: the warehouse
    is not asked, so those of views are known only after a call that asked it.
    """

    def __init__(self, environment: Environment, *, is_offline: bool = False) -> None:
        self._environment, self._is_offline = environment, is_offline
        self._known = environment.derive(_nothing_read)
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
        """Contents of a table; nothing if its SQL is unknown."""
        from linker.sql_analysis.contents import Contents, read_contents

        sql = self._sql(table)
        if sql and sql not in self._contents:
            tables = self._environment.derive(_tables_in, self._environment.dialect)
            self._contents[sql] = read_contents(sql, tables)
        return self._contents.get(sql) or Contents()

    def _sql(self, table: Table) -> str:
        """SQL that tells all rows of a table, so not that of incremental models."""
        environment, known = self._environment, self._known
        if known.models is None:
            parts = models_in_parts(environment.settings, environment.target)
            models = _read_models(environment)
            known.models = {ref: sql for ref, sql in models.items() if ref not in parts}
        if known.views is None and "view" in table.kind and not self._is_offline:
            with suppress(LinkerError):
                known.views = _definitions_of_views(environment)
        of_view = known.views.get(table.ref) if known.views else None
        return of_view or known.models.get(table.ref, "")


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
