"""
Facts for linking from the profiles: a few of every column, and the joins.

Values are those that may be shown: of masked and hidden columns nothing is read.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import field
from msgspec.structs import replace

from linker.catalog.artifacts import Artifacts, as_text, statement
from linker.catalog.prior_use import NO_PRIOR_USE, PriorUse
from linker.text.literals import labels_of
from linker.text.safe import spelled
from linker.types import Catalog, ColumnRef, Record, Table, TableRef

# A join below it is a guess that should not stand in a text.
SURE_ENOUGH = 0.6
# That a column is shaped like a key of another table is a guess by its name.
_BY_ITS_NAME = "shaped"


class ColumnFacts(Record, frozen=True):
    """
    The measurements of one column; `points_to` are the keys that it leads to, the surest first.

    `distinct_count` is how many distinct values were seen where anything was looked at: 0 is a
    column of nulls. Where there are both values and nulls, `has_nulls`. `seen_in` are the values of
    a family that not all of the members have that were read, with those that do. `days` are the
    first and the last one that any row tells.
    """

    category: str | None = None
    distinct_count: int | None = None
    is_primary_key: bool = False
    is_foreign_key: bool = False
    points_to: tuple[ColumnRef, ...] = ()
    values: tuple[str, ...] = ()
    has_nulls: bool = False
    seen_in: tuple[tuple[str, tuple[str, ...]], ...] = ()
    days: tuple[str, str] | None = None

    def where(self, value: str) -> str:
        """
        The members of a family in which a value was seen, in brackets; nothing where all that were
        read have it.
        """
        members = dict(self.seen_in).get(value, ())
        return f" (in {', '.join(map(spelled, members))})" if members else ""


class KeyPair(Record, frozen=True):
    """
    A way to join two tables, column by column, and how sure it is.

    `overlap` is the share of the left side's values that the right side holds, `fan_out` how many
    rows of the left side share one key, `cardinality` is `n:1`, `1:1` or `n:m`; each where it was
    measured.
    """

    left: TableRef
    left_columns: tuple[str, ...]
    right: TableRef
    right_columns: tuple[str, ...]
    confidence: float = 1.0
    overlap: float | None = None
    fan_out: float | None = None
    cardinality: str | None = None


class Facts(Record, frozen=True, dict=True):
    """All that is known of a warehouse besides its catalogue; each part is optional."""

    columns: Mapping[ColumnRef, ColumnFacts] = field(default_factory=dict)
    joins: tuple[KeyPair, ...] = ()
    prior_use: PriorUse = NO_PRIOR_USE

    def of(self, ref: ColumnRef) -> ColumnFacts:
        """The facts of a column, empty where nothing was measured."""
        return self.columns.get(ref, NOTHING_KNOWN)

    def between(self, table: TableRef, other: TableRef) -> Sequence[KeyPair]:
        """The joins of two tables, whichever points to the other, in their order."""
        return self._by_tables.get(frozenset((table, other)), ())

    @cached_property
    def _by_tables(self) -> Mapping[frozenset[TableRef], Sequence[KeyPair]]:
        found: dict[frozenset[TableRef], list[KeyPair]] = defaultdict(list)
        for pair in self.joins:
            found[frozenset((pair.left, pair.right))].append(pair)
        return dict(found)


NOTHING_KNOWN = ColumnFacts()
NO_FACTS = Facts()


def read_privacy(artifacts: Artifacts, catalog: Catalog) -> dict[ColumnRef, str]:
    """The privacy of each column; what nobody has profiled yet may hold anything, and is masked."""
    privacy = {
        ColumnRef(table.ref, column.path): "mask"
        for table in catalog.tables
        for column in table.columns
    }
    for schema, table, path, shown in artifacts.query(statement("privacy")):
        privacy[ColumnRef(TableRef(schema, table), path)] = shown or "mask"
    return privacy


def read_facts(artifacts: Artifacts, catalog: Catalog) -> Facts:
    """
    Read what the profiles tell of the tables of a catalogue, in two statements; nothing where there
    are none.
    """
    if not all(artifacts.holds(f"linker_profile_l{level}") for level in (1, 2, 3)):
        return NO_FACTS
    tables = catalog.table_by_ref
    joins = tuple(
        pair for pair in _joins(artifacts) if pair.left in tables and pair.right in tables
    )
    return pointing(_columns(artifacts, tables), joins)


def pointing(columns: Iterable[tuple[ColumnRef, ColumnFacts]], joins: tuple[KeyPair, ...]) -> Facts:
    """The facts of columns, with the keys that sure joins lead to."""
    found = dict(columns)
    for table, of_table in pointing_to(joins).items():
        for path, keys in of_table.items():
            known = found.get(ColumnRef(table, path), NOTHING_KNOWN)
            found[ColumnRef(table, path)] = replace(known, is_foreign_key=True, points_to=keys)
    return Facts(found, joins)


def pointing_to(joins: Iterable[KeyPair]) -> dict[TableRef, dict[str, tuple[ColumnRef, ...]]]:
    """By table and path the keys that sure joins lead to."""
    targets: dict[TableRef, dict[str, tuple[ColumnRef, ...]]] = defaultdict(dict)
    for pair in joins:
        for left, right in zip(pair.left_columns, pair.right_columns, strict=True):
            if pair.confidence >= SURE_ENOUGH:
                of_table = targets[pair.left]
                of_table[left] = (*of_table.get(left, ()), ColumnRef(pair.right, right))
    return dict(targets)


def _columns(
    artifacts: Artifacts, tables: Mapping[TableRef, Table]
) -> Iterator[tuple[ColumnRef, ColumnFacts]]:
    rows = artifacts.query(statement("facts"))
    for (
        schema,
        name,
        path,
        category,
        primary,
        foreign,
        values,
        distinct_count,
        null_ratio,
        *days,
        privacy,
    ) in rows:
        if (table := tables.get(TableRef(schema, name))) is None:
            continue
        # Of a family that is read in part nobody knows its days.
        knows_days = all(days) and not (table.family and table.family.coverage)
        # What an enumeration allows may be asked for before any row holds it.
        column = table.column_by_path.get(path)
        labels = labels_of(column.data_type) if column and privacy == "show" else ()
        yield (
            ColumnRef(table.ref, path),
            ColumnFacts(
                category=category,
                distinct_count=distinct_count,
                is_primary_key=primary is not None,
                is_foreign_key=foreign not in (None, _BY_ITS_NAME),
                values=tuple(dict.fromkeys([*(text for text, _ in _values(values)), *labels])),
                has_nulls=bool(distinct_count and null_ratio),
                seen_in=tuple((text, members) for text, members in _values(values) if members),
                days=(days[0], days[1]) if knows_days else None,
            ),
        )


def _joins(artifacts: Artifacts) -> Iterator[KeyPair]:
    rows = artifacts.query(statement("joins")) if artifacts.holds("linker_joins") else []
    for schema, table, columns, to_schema, to_table, to_columns, confidence, *measured in rows:
        containment, fan_out, cardinality = measured
        yield KeyPair(
            TableRef(schema, table),
            tuple(json.loads(columns)),
            TableRef(to_schema, to_table),
            tuple(json.loads(to_columns)),
            float(confidence),
            None if containment is None else float(containment),
            None if fan_out is None else float(fan_out),
            cardinality,
        )


def _values(values_json: str | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    for item in json.loads(values_json) if values_json else ():
        if item["value"] is not None:
            yield as_text(item["value"]), tuple(item.get("members", ()))
