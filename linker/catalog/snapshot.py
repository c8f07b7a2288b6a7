"""
Serialises catalog and column metadata for the index, so that questions are answered without the
warehouse.

It contains no values of masked or hidden columns. The format is JSON, since the store may be shared
and its content must stay data; lists replace objects because field names would dominate the size.
The first line lists the tables; each further line holds one table's columns and is decoded on first
use.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from msgspec.structs import astuple, replace

from linker.catalog.column_metadata import (
    NOTHING_KNOWN,
    ColumnFacts,
    Facts,
    KeyPair,
    pointing,
    pointing_to,
    together,
)
from linker.catalog.column_metadata import unpack as unpack_prior_use
from linker.catalog.description import ColumnDescription
from linker.catalog.read_catalog import sibling_groups
from linker.config.values import TablePattern, Term, matching
from linker.types import (
    Catalog,
    Column,
    ColumnRef,
    Columns,
    DbtNode,
    Family,
    Record,
    Table,
    TableRef,
)

# Raise with every change of the lists below; other versions are not read.
FORMAT = 13

_Row = list[Any]


class ProfiledCatalog(Record, frozen=True):
    """
    Catalog and column metadata, as linking uses them.

    `groups` are indexes of identical tables, if already detected. `terms` come from the dbt
    project's semantic layer; `excluded` are the patterns of excluded tables.
    """

    catalog: Catalog
    facts: Facts
    groups: tuple[tuple[int, ...], ...] | None = None
    terms: tuple[Term, ...] = ()
    excluded: tuple[str, ...] = ()

    def describe(self, ref: ColumnRef) -> ColumnDescription:
        table = self.catalog.table_by_ref[ref.table]
        return ColumnDescription(table, table.column_by_path[ref.path], self.facts.get(ref))


def siblings_of(profiled: ProfiledCatalog) -> dict[TableRef, tuple[TableRef, ...]]:
    """For each table the identical ones."""
    tables = profiled.catalog.tables
    groups = sibling_groups(tables) if profiled.groups is None else profiled.groups
    siblings: dict[TableRef, tuple[TableRef, ...]] = {}
    for indexes in groups:
        group = [tables[index].ref for index in indexes]
        for ref in group:
            siblings[ref] = tuple(other for other in group if other != ref)
    return siblings


class _TableLine:
    """One table's columns and metadata, decoded on first use."""

    def __init__(
        self, table: TableRef, packed: bytes, pointing: Mapping[str, tuple[ColumnRef, ...]]
    ) -> None:
        self._table, self._packed, self._pointing = table, packed, pointing

    @cached_property
    def _rows(self) -> list[tuple[_Row, _Row | None]]:
        rows: list[tuple[_Row, _Row | None]] = json.loads(
            self._packed.decode("utf-8", "surrogatepass")
        )
        return rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(*values) for values, _ in self._rows)

    @cached_property
    def facts(self) -> dict[ColumnRef, ColumnFacts]:
        facts_of = {
            ColumnRef(self._table, values[0]): _facts(measured)
            for values, measured in self._rows
            if measured
        }
        for path, keys in self._pointing.items():
            ref = ColumnRef(self._table, path)
            facts_of[ref] = replace(
                facts_of.get(ref, NOTHING_KNOWN), is_foreign_key=True, points_to=keys
            )
        return facts_of


class StoredColumns(Columns):
    """Columns of a table in a snapshot; their number is known without decoding."""

    def __init__(self, line: _TableLine, count: int) -> None:
        self._line, self._count = line, count

    def all(self) -> tuple[Column, ...]:
        return self._line.columns

    def __len__(self) -> int:
        return self._count


class StoredFacts(Mapping[ColumnRef, ColumnFacts]):
    """Column metadata in a snapshot, decoded table by table."""

    def __init__(self, lines: Mapping[TableRef, _TableLine]) -> None:
        self._lines = lines

    def __getitem__(self, ref: ColumnRef) -> ColumnFacts:
        return self._lines[ref.table].facts[ref]

    def __iter__(self) -> Iterator[ColumnRef]:
        return chain.from_iterable(line.facts for line in self._lines.values())

    def __len__(self) -> int:
        return sum(len(line.facts) for line in self._lines.values())


def pack(profiled: ProfiledCatalog) -> bytes:
    """Serialise; equal warehouses give equal bytes. Only the store's search has all values."""
    catalog, facts = profiled.catalog, profiled.facts
    head = {
        "format": FORMAT,
        "physical_table_count": catalog.physical_table_count,
        "joins": [_join_row(pair) for pair in facts.joins],
        "tables": [_table_row(table) for table in catalog.tables],
        "groups": sibling_groups(catalog.tables),
        "terms": [astuple(term) for term in profiled.terms],
        "excluded": profiled.excluded,
    }
    columns = (_column_rows(table, facts) for table in catalog.tables)
    texts = (
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in (head, *columns)
    )
    return "\n".join(texts).encode("utf-8", "surrogatepass")


def unpack(packed: bytes) -> ProfiledCatalog | None:
    """Deserialise; None if another version wrote it."""
    first, *lines = packed.split(b"\n")
    head = json.loads(first.decode("utf-8", "surrogatepass"))
    if head["format"] != FORMAT:
        return None
    joins = tuple(_join(row) for row in head["joins"])
    pointing = pointing_to(joins)
    read: dict[TableRef, _TableLine] = {}
    tables: list[Table] = []
    for row, line in zip(head["tables"], lines, strict=True):
        ref = TableRef(*row[:2])
        read[ref] = _TableLine(ref, line, pointing.get(ref, {}))
        tables.append(_table(ref, row, read[ref]))
    return ProfiledCatalog(
        Catalog(tuple(tables), head["physical_table_count"]),
        Facts(StoredFacts(read), joins),
        tuple(map(tuple, head["groups"])),
        tuple(Term(*map(_packed, term)) for term in head["terms"]),
        tuple(head["excluded"]),
    )


def as_indexed(profiled: ProfiledCatalog) -> ProfiledCatalog:
    """A copy with the values that are packed."""
    columns = {
        ref: replace(facts, values=facts.frequent_values)
        for ref, facts in profiled.facts.columns.items()
    }
    return replace(profiled, facts=replace(profiled.facts, columns=columns))


def without_tables(profiled: ProfiledCatalog, patterns: Sequence[TablePattern]) -> ProfiledCatalog:
    """A copy without the tables that match a pattern, and without joins to them."""
    if not patterns:
        return profiled
    catalog, facts = profiled.catalog, profiled.facts
    left_out = {table.ref for table in matching(patterns, catalog.tables)}
    tables = tuple(table for table in catalog.tables if table.ref not in left_out)
    kept = {table.ref for table in tables}
    columns = [
        (ref, replace(column_facts, points_to=()))
        for ref, column_facts in facts.columns.items()
        if ref.table in kept
    ]
    joins = tuple(pair for pair in facts.joins if pair.left in kept and pair.right in kept)
    return replace(
        profiled,
        catalog=Catalog(tables, catalog.physical_table_count),
        facts=pointing(columns, joins),
        excluded=tuple(map(str, patterns)),
    )


def with_prior_use(profiled: ProfiledCatalog, learned: Iterable[bytes]) -> ProfiledCatalog:
    """A copy with usage statistics by source; those of other versions are ignored."""
    uses = [use for use in map(unpack_prior_use, learned) if use]
    return replace(profiled, facts=replace(profiled.facts, prior_use=together(uses)))


def _table_row(table: Table) -> _Row:
    family = table.family
    return [
        table.ref.schema,
        table.ref.name,
        table.kind,
        table.description,
        table.row_count_estimate,
        family and astuple(family),
        table.siblings,
        table.schemas,
        [[astuple(ref) for ref in table.dbt.upstream], *astuple(table.dbt)[1:]],
        len(table.columns),
    ]


def _table(ref: TableRef, row: _Row, line: _TableLine) -> Table:
    kind, description, row_count, family, siblings, schemas, node, column_count = row[2:]
    columns = StoredColumns(line, column_count)
    shards = Family(*map(_packed, family)) if family else None
    upstream, *more = map(_packed, node)
    dbt = DbtNode(tuple(TableRef(*names) for names in upstream), *more)
    return Table(ref, kind, description, row_count, columns, shards, tuple(siblings), schemas, dbt)


def _packed(value: Any) -> Any:  # noqa: ANN401 - JSON has lists alone
    return tuple(map(_packed, value)) if isinstance(value, list) else value


def _column_rows(table: Table, facts: Facts) -> list[_Row]:
    refs = (ColumnRef(table.ref, column.path) for column in table.columns)
    return list(map(_column_row, table.columns, map(facts.get, refs)))


def _column_row(column: Column, facts: ColumnFacts) -> _Row:
    index = (column.path, column.column_name, column.depth, column.position)
    described = (column.data_type, column.is_nullable, column.description)
    keys = (facts.is_primary_key, facts.is_foreign_key)
    measured = (
        facts.category,
        facts.distinct_count,
        *keys,
        facts.frequent_values,
        facts.null_count,
        facts.seen_in,
        facts.days,
        facts.is_masked,
    )
    return [[*index, *described], None if facts == NOTHING_KNOWN else measured]


def _facts(measured: _Row) -> ColumnFacts:
    category, distinct_count, is_primary_key, is_foreign_key, *others = measured
    values, null_count, seen_in, days, is_masked = others
    # References are stored with the joins.
    keys = (is_primary_key, is_foreign_key, ())
    shown = (tuple(values), null_count, _packed(seen_in), _packed(days), is_masked)
    return ColumnFacts(category, distinct_count, *keys, *shown)


def _join_row(pair: KeyPair) -> _Row:
    left, right = pair.left, pair.right
    ends = (left.schema, left.name, pair.left_columns, right.schema, right.name, pair.right_columns)
    measured = (pair.overlap, pair.fan_out, pair.cardinality, pair.is_by_name)
    return [*ends, pair.confidence, *measured]


def _join(row: _Row) -> KeyPair:
    schema, name, columns, to_schema, to_name, to_columns, *measured = row
    return KeyPair(
        TableRef(schema, name),
        tuple(columns),
        TableRef(to_schema, to_name),
        tuple(to_columns),
        *measured,
    )
