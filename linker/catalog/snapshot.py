"""
The snapshot of a warehouse that the store keeps: catalogue and facts as bytes, and back.

`linker index` keeps it beside the documents that it made from it, so that a question is answered without the warehouse.
It holds what documents may hold: of masked and hidden columns no value was ever read. JSON, for the store may be
shared, and bytes from there are only ever data. Lists instead of objects, as names would be most of it. A line for each
table: what was read of one is let go before the next, where a whole took more room than the records that it became.
"""

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from typing import Any

from linker.catalog.facts import NOTHING_KNOWN, ColumnFacts, Facts, KeyPair, pointing
from linker.catalog.prior_use import together
from linker.catalog.prior_use import unpack as unpack_prior_use
from linker.types import Catalog, Column, ColumnRef, Family, Table, TableRef

# Raised with every change of the lists below: what another version wrote is not read.
FORMAT = 5

_Row = list[Any]


@dataclass(frozen=True)
class ProfiledCatalog:
    """The catalogue of a warehouse and its facts, as linking sees it."""

    catalog: Catalog
    facts: Facts


def pack(profiled: ProfiledCatalog) -> bytes:
    """The same bytes for the same warehouse."""
    catalog, facts = profiled.catalog, profiled.facts
    head = {
        "format": FORMAT,
        "physical_table_count": catalog.physical_table_count,
        "joins": [_join_row(pair) for pair in facts.joins],
    }
    lines = (head, *(_table_row(table, facts) for table in catalog.tables))
    texts = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "\n".join(texts).encode("utf-8", "surrogatepass")


def unpack(packed: bytes) -> ProfiledCatalog | None:
    """Read what was packed; nothing where another version did that."""
    with _without_collector():
        first, *lines = packed.split(b"\n")
        head = json.loads(first.decode("utf-8", "surrogatepass"))
        if head["format"] != FORMAT:
            return None
        tables: list[Table] = []
        columns: list[tuple[ColumnRef, ColumnFacts]] = []
        for line in lines:
            row = json.loads(line.decode("utf-8", "surrogatepass"))
            tables.append(_table(row))
            columns += _facts(tables[-1].ref, row)
        joins = tuple(_join(row) for row in head["joins"])
        return ProfiledCatalog(Catalog(tuple(tables), head["physical_table_count"]), pointing(columns, joins))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Let no records be searched for circles, of which they have none: that takes most of the time of reading many."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def with_prior_use(profiled: ProfiledCatalog, learned: Iterable[bytes]) -> ProfiledCatalog:
    """The same with what was learned from queries, source by source; what another version wrote is left out."""
    known = [use for use in map(unpack_prior_use, learned) if use]
    return replace(profiled, facts=replace(profiled.facts, prior_use=together(known)))


def _table_row(table: Table, facts: Facts) -> _Row:
    family = table.family
    return [
        *(table.ref.schema, table.ref.name, table.kind, table.description, table.row_count_estimate),
        family and astuple(family),
        table.siblings,
        [_column_row(column, facts.of(ColumnRef(table.ref, column.path))) for column in table.columns],
    ]


def _table(row: _Row) -> Table:
    schema, name, kind, description, row_count, family, siblings, columns = row
    return Table(
        TableRef(schema, name),
        kind,
        description,
        row_count,
        tuple(Column(*values) for values, _ in columns),
        Family(*map(_packed, family)) if family else None,
        tuple(siblings),
    )


def _packed(value: Any) -> Any:  # noqa: ANN401 - JSON has lists alone
    return tuple(map(_packed, value)) if isinstance(value, list) else value


def _column_row(column: Column, facts: ColumnFacts) -> _Row:
    place = (column.path, column.column_name, column.depth, column.position)
    described = (column.data_type, column.is_nullable, column.description)
    keys = (facts.is_primary_key, facts.is_foreign_key)
    measured = (facts.category, facts.distinct_count, *keys, facts.values, facts.has_nulls)
    return [[*place, *described], None if facts == NOTHING_KNOWN else measured]


def _facts(table: TableRef, row: _Row) -> Iterator[tuple[ColumnRef, ColumnFacts]]:
    for [path, *_], measured in row[-1]:
        if measured:
            category, distinct_count, is_primary_key, is_foreign_key, values, has_nulls = measured
            # What a column points to is told by the joins.
            facts = ColumnFacts(category, distinct_count, is_primary_key, is_foreign_key, (), tuple(values), has_nulls)
            yield ColumnRef(table, path), facts


def _join_row(pair: KeyPair) -> _Row:
    left, right = pair.left, pair.right
    ends = (left.schema, left.name, pair.left_columns, right.schema, right.name, pair.right_columns)
    return [*ends, pair.confidence, pair.overlap, pair.fan_out]


def _join(row: _Row) -> KeyPair:
    schema, name, columns, to_schema, to_name, to_columns, *measured = row
    return KeyPair(TableRef(schema, name), tuple(columns), TableRef(to_schema, to_name), tuple(to_columns), *measured)
