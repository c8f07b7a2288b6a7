"""
What the profiles tell for retrieval: enters the artifacts, leaves a few facts of every column, in two statements.

Values are those that may be shown: of masked and hidden columns nothing is read.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from linker.artifacts import Artifacts
from linker.types import ColumnRef, TableRef

# An edge below it is a guess that should not stand in a text.
_SURE_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What was measured of one column, as far as it helps to find it."""

    category: str | None = None
    is_primary_key: bool = False
    is_foreign_key: bool = False
    points_to: tuple[ColumnRef, ...] = ()
    values: tuple[str, ...] = ()


NOTHING_KNOWN = ColumnFacts()

_COLUMNS = """
    select
        l1.schema_name, l1.table_name, l1.column_path, l1.category,
        l1.primary_key_origin is not null, l1.foreign_key_origin is not null,
        case when l2.privacy = 'show' then l2.representative_values end
    from {linker_profile_l1} as l1
    left join {linker_profile_l2} as l2
        on l1.schema_name = l2.schema_name and l1.table_name = l2.table_name and l1.column_path = l2.column_path
"""
_JOINS = """
    select from_schema, from_table, from_columns, to_schema, to_table, to_columns
    from {linker_joins}
    where confidence >= ?
    order by confidence desc, to_schema, to_table, to_columns
"""


def read_facts(artifacts: Artifacts) -> Mapping[ColumnRef, ColumnFacts]:
    """The facts by column; none where the profiles are not there."""
    if not artifacts.holds("linker_profile_l1") or not artifacts.holds("linker_profile_l2"):
        return {}
    targets = _targets(artifacts) if artifacts.holds("linker_joins") else {}
    facts = {}
    for schema, table, path, category, is_primary, is_foreign, values in artifacts.query(_COLUMNS):
        ref = ColumnRef(TableRef(schema, table), path)
        facts[ref] = ColumnFacts(
            category=category,
            is_primary_key=bool(is_primary),
            is_foreign_key=bool(is_foreign) or ref in targets,
            points_to=tuple(targets.get(ref, ())),
            values=_texts(values),
        )
    return facts


def _targets(artifacts: Artifacts) -> dict[ColumnRef, list[ColumnRef]]:
    targets: dict[ColumnRef, list[ColumnRef]] = defaultdict(list)
    for from_schema, from_table, from_columns, to_schema, to_table, to_columns in artifacts.query(
        _JOINS, (_SURE_ENOUGH,)
    ):
        for pointing, key in zip(json.loads(from_columns), json.loads(to_columns), strict=True):
            source = ColumnRef(TableRef(from_schema, from_table), pointing)
            targets[source].append(ColumnRef(TableRef(to_schema, to_table), key))
    return targets


def _texts(values_json: str | None) -> tuple[str, ...]:
    """Values as texts; what is no text is written as JSON writes it."""
    if not values_json:
        return ()
    found = (item["value"] for item in json.loads(values_json))
    return tuple(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in found)
