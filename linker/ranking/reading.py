"""Reads what ranking knows: enter the artifacts and the catalogue, leave the facts. Hidden values stay out."""

import json
from collections.abc import Iterator

from linker.artifacts import Artifacts
from linker.ranking.facts import Facts, KeyPair, Measured
from linker.types import Catalog, ColumnRef, TableRef

_MOST_VALUES = 10
_STRUCTURE = """
    select schema_name, table_name, column_path, category, primary_key_origin, foreign_key_origin
    from {linker_profile_l1}
"""
_VALUES = """
    select schema_name, table_name, column_path, representative_values
    from {linker_profile_l2}
    where representative_values is not null and privacy = 'show'
"""
_JOINS = """
    select from_schema, from_table, from_columns, to_schema, to_table, to_columns, confidence
    from {linker_joins}
"""


def read_facts(artifacts: Artifacts, catalog: Catalog) -> Facts:
    """Everything of the profiles and joins that ranking uses; a catalogue without profiles has none."""
    tables = {table.ref for table in catalog.tables}
    return Facts(
        catalog=catalog,
        values={ref: some for ref, some in _values(artifacts) if ref.table in tables},
        keys=tuple(key for key in _keys(artifacts) if key.left in tables and key.right in tables),
        measured={ref: one for ref, one in _measured(artifacts) if ref.table in tables},
    )


def _measured(artifacts: Artifacts) -> Iterator[tuple[ColumnRef, Measured]]:
    rows = artifacts.query(_STRUCTURE) if artifacts.holds("linker_profile_l1") else []
    for schema, table, path, category, primary, foreign in rows:
        # That a column is shaped like a key of another table is a guess by its name, which the roles make themselves.
        is_key = primary is not None or foreign not in (None, "shaped")
        yield ColumnRef(TableRef(schema, table), path), Measured(category or "", is_key)


def _values(artifacts: Artifacts) -> Iterator[tuple[ColumnRef, tuple[str, ...]]]:
    rows = artifacts.query(_VALUES) if artifacts.holds("linker_profile_l2") else []
    for schema, table, path, told in rows:
        found = (one["value"] for one in json.loads(told)[:_MOST_VALUES])
        yield ColumnRef(TableRef(schema, table), path), tuple(str(value) for value in found if value is not None)


def _keys(artifacts: Artifacts) -> Iterator[KeyPair]:
    rows = artifacts.query(_JOINS) if artifacts.holds("linker_joins") else []
    for schema, table, columns, to_schema, to_table, to_columns, confidence in rows:
        yield KeyPair(
            TableRef(schema, table),
            tuple(json.loads(columns)),
            TableRef(to_schema, to_table),
            tuple(json.loads(to_columns)),
            float(confidence),
        )
