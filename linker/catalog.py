"""
Reads the artifacts: enters a warehouse with the relations that dbt left, leaves the Catalog.

The columns of the queries are the contract of `models/**/*.yml`.
Only the representative of a family brings its columns: 365 shards are read as one table.
"""

import json
from collections import defaultdict

from linker.errors import ArtifactError
from linker.types import Catalog, Column, Family, Table, TableRef
from linker.warehouses import Row, Warehouse

_COLUMNS = """
    select
        columns.schema_name, coalesce(tables.family_name, tables.table_name),
        columns.column_path, columns.column_name, columns.depth, columns.position,
        columns.data_type, columns.is_nullable, columns.description
    from {schema}.linker_columns as columns
    inner join {schema}.linker_tables as tables
        on columns.schema_name = tables.schema_name and columns.table_name = tables.table_name
    where tables.is_representative
    order by columns.schema_name, columns.table_name, columns.position
"""
_TABLES = """
    select
        schema_name, coalesce(family_name, table_name) as logical_name,
        max(case when is_representative then table_kind end), max(case when is_representative then description end),
        sum(row_count_estimate), count(*)
    from {schema}.linker_tables
    group by schema_name, logical_name
    order by schema_name, logical_name
"""
_GROUPS = """
    select schema_name, group_name, kind, key_kind, first_key, last_key, members, representative
    from {schema}.linker_families
"""


def read_catalog(warehouse: Warehouse, artifacts_schema: str) -> Catalog:
    """Read the inventory and the families."""
    schema = '"' + artifacts_schema.replace('"', '""') + '"'
    _require_artifacts(warehouse, artifacts_schema)
    columns: dict[TableRef, list[Column]] = defaultdict(list)
    for schema_name, table_name, *values in warehouse.query(_COLUMNS.format(schema=schema)):
        columns[TableRef(schema_name, table_name)].append(Column(*values))
    families, siblings = _groups(warehouse.query(_GROUPS.format(schema=schema)))
    rows = warehouse.query(_TABLES.format(schema=schema))
    tables = tuple(_table(row, columns, families, siblings) for row in rows)
    return Catalog(tables=tables, physical_table_count=sum(row[5] for row in rows))


def _table(
    row: Row,
    columns: dict[TableRef, list[Column]],
    families: dict[TableRef, Family],
    siblings: dict[TableRef, tuple[str, ...]],
) -> Table:
    schema_name, logical_name, kind, description, row_count, _ = row
    ref = TableRef(schema_name, logical_name)
    return Table(
        ref=ref,
        kind=kind,
        description=description,
        row_count_estimate=None if row_count is None else int(row_count),
        columns=tuple(columns[ref]),
        family=families.get(ref),
        siblings=siblings.get(ref, ()),
    )


def _groups(rows: list[Row]) -> tuple[dict[TableRef, Family], dict[TableRef, tuple[str, ...]]]:
    families: dict[TableRef, Family] = {}
    siblings: dict[TableRef, tuple[str, ...]] = {}
    for schema_name, group_name, kind, key_kind, first_key, last_key, members_json, representative in rows:
        members = tuple(json.loads(members_json))
        if kind == "family":
            families[TableRef(schema_name, group_name)] = Family(key_kind, first_key, last_key, members, representative)
        else:
            for member in members:
                siblings[TableRef(schema_name, member)] = tuple(other for other in members if other != member)
    return families, siblings


def _require_artifacts(warehouse: Warehouse, artifacts_schema: str) -> None:
    """Say plainly that dbt has not run, instead of letting a query fail."""
    found = warehouse.query(
        "select lower(table_name) from information_schema.tables where lower(table_schema) = lower(?)",
        (artifacts_schema,),
    )
    missing = {"linker_tables", "linker_columns", "linker_families"} - {row[0] for row in found}
    if missing:
        raise ArtifactError(
            f"schema `{artifacts_schema}` has no {', '.join(sorted(missing))}",
            hint="profile the warehouse first: linker profile (or set `artifacts_schema`)",
        )
