"""
Column metadata, joins and usage counts that linking needs, read from the profile tables.

Values of masked and hidden columns are never read. Usage counts distinct queries, so a dashboard
that runs all day counts once; the number of runs is kept beside it. No query text is stored.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import TypeVar

from msgspec import ValidationError, field, to_builtins
from msgspec.json import decode
from msgspec.structs import replace

from linker.catalog.named_joins import named_joins
from linker.catalog.read_catalog import Artifacts, as_text, catalog_sql
from linker.text.escaping import escape_invisible
from linker.text.quoted_and_codes import labels_of
from linker.text.words import alnum_key
from linker.types import Catalog, ColumnRef, Record, Table, TableRef

# Raise with every change of `_PackedUse`; other versions are not read.
FORMAT = 2

# A join in one query may be a mistake; one in many is as certain as a measured one.
_UNSURE = 0.2

TablePair = tuple[TableRef, TableRef]
ColumnPair = tuple[ColumnRef, ColumnRef]
KeyT = TypeVar("KeyT")

# Joins below are guesses, omitted from texts.
SURE_ENOUGH = 0.6
# Joins below may be chance, and are marked as uncertain.
SURE_JOIN = 0.8
# Confidence of a join by a name that always joined where measured.
_PROVEN = 0.85
# A keyword in one of 200 values is mostly chance.
_FREQUENT_VALUES = 25
# Inferred from the column's name alone.
_BY_ITS_NAME = "shaped"


class Use(Record, frozen=True):
    """Usage: distinct queries, their runs, and the day of the last run if known."""

    queries: int
    runs: int
    last: date | None = None

    def __add__(self, other: "Use") -> "Use":
        days = [day for day in (self.last, other.last) if day is not None]
        return Use(self.queries + other.queries, self.runs + other.runs, max(days, default=None))

    @property
    def confidence(self) -> float:
        """Confidence of a join seen in these queries: 0.8 for one, 0.9 for two, 0.98 for ten."""
        return 1 - _UNSURE / self.queries

    def __str__(self) -> str:
        return f"used in {self.queries:,} {'query' if self.queries == 1 else 'queries'}"


class PriorUse(Record, frozen=True):
    """Usage statistics of tables, columns, joins and table pairs; pairs are ordered."""

    queries: int = 0
    tables: Mapping[TableRef, Use] = field(default_factory=dict)
    columns: Mapping[ColumnRef, Use] = field(default_factory=dict)
    together: Mapping[TablePair, Use] = field(default_factory=dict)
    joins: Mapping[ColumnPair, Use] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.queries > 0

    def join(self, left: ColumnRef, right: ColumnRef) -> Use | None:
        """Usage of the join of two columns, in either order."""
        return self.joins.get((min(left, right), max(left, right)))

    def companion_pair(self, table: TableRef) -> TablePair | None:
        """The table with the one it is most often queried with."""
        pairs = sorted(pair for pair in self.together if table in pair)
        return max(pairs, key=lambda pair: self.together[pair].queries, default=None)

    def get(self, columns: Iterable[ColumnRef]) -> "PriorUse":
        """The subset that an answer with these columns needs."""
        wanted = set(columns)
        tables = {ref.table for ref in wanted}
        pairs = filter(None, map(self.companion_pair, sorted(tables)))
        return PriorUse(
            self.queries,
            {ref: use for ref, use in self.tables.items() if ref in tables},
            {ref: use for ref, use in self.columns.items() if ref in wanted},
            {pair: self.together[pair] for pair in pairs},
            {pair: use for pair, use in self.joins.items() if wanted.issuperset(pair)},
        )

    def summary(self, ref: TableRef | ColumnRef) -> str:
        """For example `used in 14 queries, mostly with sales.orders`; empty if unused."""
        use = self.columns.get(ref) if isinstance(ref, ColumnRef) else self.tables.get(ref)
        if use is None:
            return ""
        pair = self.companion_pair(ref) if isinstance(ref, TableRef) else None
        if pair and 2 * self.together[pair].queries > use.queries:
            left, right = pair
            return f"{use}, mostly with {right if left == ref else left}"
        return str(use)


NO_PRIOR_USE = PriorUse()


def together(parts: Iterable[PriorUse]) -> PriorUse:
    """The sum of several sources."""
    filled = list(parts)
    return PriorUse(
        sum(source.queries for source in filled),
        _sum(source.tables for source in filled),
        _sum(source.columns for source in filled),
        _sum(source.together for source in filled),
        _sum(source.joins for source in filled),
    )


def _sum(counts: Iterable[Mapping[KeyT, Use]]) -> dict[KeyT, Use]:
    total: dict[KeyT, Use] = {}
    for uses in counts:
        for key, use in uses.items():
            total[key] = total[key] + use if key in total else use
    return total


class _PackedUse(Record, frozen=True):
    """Serialised usage statistics; pairs are lists because JSON keys must be strings."""

    format: int
    queries: int
    tables: tuple[tuple[TableRef, Use], ...]
    columns: tuple[tuple[ColumnRef, Use], ...]
    together: tuple[tuple[TablePair, Use], ...]
    joins: tuple[tuple[ColumnPair, Use], ...]


def pack(prior_use: PriorUse) -> bytes:
    """Serialise; equal usage gives equal bytes."""
    content = _PackedUse(
        FORMAT,
        prior_use.queries,
        tuple(sorted(prior_use.tables.items())),
        tuple(sorted(prior_use.columns.items())),
        tuple(sorted(prior_use.together.items())),
        tuple(sorted(prior_use.joins.items())),
    )
    text = json.dumps(to_builtins(content), ensure_ascii=False, separators=(",", ":"))
    # Names that UTF-8 cannot encode are unusable in queries anyway.
    return text.encode(errors="replace")


def unpack(packed: bytes) -> PriorUse | None:
    """Deserialise; None if another version wrote it."""
    try:
        read = decode(packed, type=_PackedUse)
    except ValidationError:
        return None
    if read.format != FORMAT:
        return None
    pairs = (dict(read.tables), dict(read.columns), dict(read.together), dict(read.joins))
    return PriorUse(read.queries, *pairs)


class ColumnFacts(Record, frozen=True):
    """
    Measurements of one column; `points_to` are the keys it references, most certain first.

    `distinct_count` is None if unmeasured and 0 for a column of nulls. `null_count` counts
    the rows that were read. `seen_in` maps a value to the shards where it was read, if not in all
    shards. `days` are the first and last day found.
    """

    category: str | None = None
    distinct_count: int | None = None
    is_primary_key: bool = False
    is_foreign_key: bool = False
    points_to: tuple[ColumnRef, ...] = ()
    values: tuple[str, ...] = ()
    null_count: int | None = None
    seen_in: tuple[tuple[str, tuple[str, ...]], ...] = ()
    days: tuple[str, str] | None = None
    is_masked: bool = False

    @property
    def frequent_values(self) -> tuple[str, ...]:
        """The values of texts and keyword matches; only value search has the others."""
        return self.values[:_FREQUENT_VALUES]

    @property
    def has_nulls(self) -> bool:
        """Whether some rows are null, not all."""
        return bool(self.distinct_count and self.null_count)

    def where(self, value: str) -> str:
        """
        The shards in which a value was seen, in brackets; empty if in all shards that were read.
        """
        members = dict(self.seen_in).get(value, ())
        return f" (in {', '.join(map(escape_invisible, members))})" if members else ""


class KeyPair(Record, frozen=True):
    """
    A join of two tables by column pairs, with its confidence.

    `overlap` is the share of left values found on the right, `fan_out` the number of left rows per
    key, `cardinality` `n:1`, `1:1` or `n:m`; None if unmeasured. `is_by_name` marks joins inferred
    from names and types only, for example of empty tables.
    """

    left: TableRef
    left_columns: tuple[str, ...]
    right: TableRef
    right_columns: tuple[str, ...]
    confidence: float = 1.0
    overlap: float | None = None
    fan_out: float | None = None
    cardinality: str | None = None
    is_by_name: bool = False


class Facts(Record, frozen=True):
    """Column metadata, joins and usage of a warehouse; each part is optional."""

    columns: Mapping[ColumnRef, ColumnFacts] = field(default_factory=dict)
    joins: tuple[KeyPair, ...] = ()
    prior_use: PriorUse = NO_PRIOR_USE

    def get(self, ref: ColumnRef) -> ColumnFacts:
        """Metadata of a column; empty if unmeasured."""
        return self.columns.get(ref, NOTHING_KNOWN)

    def between(self, table: TableRef, other: TableRef) -> list[KeyPair]:
        """Joins of two tables in either direction."""
        ends = ((table, other), (other, table))
        return [pair for pair in self.joins if (pair.left, pair.right) in ends]


NOTHING_KNOWN = ColumnFacts()
NO_FACTS = Facts()


def read_privacy(artifacts: Artifacts, catalog: Catalog) -> dict[ColumnRef, str]:
    """Privacy of each column; unprofiled columns are masked, since they may hold anything."""
    privacy = dict.fromkeys(catalog.column_refs, "mask")
    for schema, table, path, shown in artifacts.query(catalog_sql("privacy")):
        privacy[ColumnRef(TableRef(schema, table), path)] = shown or "mask"
    return privacy


def read_facts(artifacts: Artifacts, catalog: Catalog) -> Facts:
    """Read column metadata and joins in two statements; joins by name without profile tables."""
    if not all(artifacts.holds(f"linker_profile_l{level}") for level in (1, 2, 3)):
        return facts_of(catalog)
    tables = catalog.table_by_ref
    joins = tuple(
        pair for pair in _joins(artifacts) if pair.left in tables and pair.right in tables
    )
    return facts_of(catalog, dict(_columns(artifacts, tables)), joins)


def facts_of(
    catalog: Catalog,
    columns: Mapping[ColumnRef, ColumnFacts] = MappingProxyType({}),
    joins: tuple[KeyPair, ...] = (),
) -> Facts:
    """Column metadata and joins; unmeasured columns are joined by name."""
    return pointing(columns.items(), (*joins, *_joins_by_name(catalog, columns, joins)))


def _joins_by_name(
    catalog: Catalog, columns: Mapping[ColumnRef, ColumnFacts], joins: Sequence[KeyPair]
) -> Iterator[KeyPair]:
    """
    Joins inferred from names, for unmeasured columns without any other join: as columns of the same
    name join where measured, else by the rules of `named_joins`.
    """
    joined = set[ColumnRef]()
    for pair in joins:
        joined.update(ColumnRef(pair.left, path) for path in pair.left_columns)
    proven, by_rule = _proven_names(joins), dict[ColumnRef, tuple[ColumnRef, float]]()
    for join in named_joins(catalog.tables):
        table, keys = catalog.tables[join.table], catalog.tables[join.key_table]
        key = ColumnRef(keys.ref, keys.columns[join.key_column].path)
        by_rule[ColumnRef(table.ref, table.columns[join.column].path)] = (key, join.confidence)
    for table in catalog.tables:
        for column in table.columns:
            ref = ColumnRef(table.ref, column.path)
            if proven_key := proven.get(alnum_key(column.path)):
                by_rule[ref] = (proven_key, _PROVEN)
            right, confidence = by_rule.get(ref, (ref, 0.0))
            if right == ref or ref in joined:
                continue
            if not all(columns.get(entry, NOTHING_KNOWN).distinct_count for entry in (ref, right)):
                sides = (table.ref, (ref.path,), right.table, (right.path,))
                yield KeyPair(*sides, confidence, is_by_name=True)


def _proven_names(joins: Iterable[KeyPair]) -> dict[str, ColumnRef]:
    """
    By column name the key that all measured columns of that name reference; at least two of them.
    """
    keys: dict[str, list[ColumnRef]] = defaultdict(list)
    for pair in joins:
        if len(pair.left_columns) == 1 and pair.confidence >= SURE_ENOUGH:
            keys[alnum_key(pair.left_columns[0])].append(ColumnRef(pair.right, *pair.right_columns))
    return {
        name: references[0]
        for name, references in keys.items()
        if len(references) > 1 == len({*references})
    }


def pointing(columns: Iterable[tuple[ColumnRef, ColumnFacts]], joins: tuple[KeyPair, ...]) -> Facts:
    """Column metadata with the keys that confident joins reference."""
    facts_of = dict(columns)
    for table, of_table in pointing_to(joins).items():
        for path, keys in of_table.items():
            facts = facts_of.get(ColumnRef(table, path), NOTHING_KNOWN)
            facts_of[ColumnRef(table, path)] = replace(facts, is_foreign_key=True, points_to=keys)
    return Facts(facts_of, joins)


def pointing_to(joins: Iterable[KeyPair]) -> dict[TableRef, dict[str, tuple[ColumnRef, ...]]]:
    """By table and path the keys that confident joins reference."""
    targets: dict[TableRef, dict[str, tuple[ColumnRef, ...]]] = defaultdict(dict)
    for pair in joins:
        for left, right in zip(pair.left_columns, pair.right_columns, strict=True):
            if pair.confidence >= SURE_ENOUGH and not pair.is_by_name:
                of_table = targets[pair.left]
                of_table[left] = (*of_table.get(left, ()), ColumnRef(pair.right, right))
    return dict(targets)


def _columns(
    artifacts: Artifacts, tables: Mapping[TableRef, Table]
) -> Iterator[tuple[ColumnRef, ColumnFacts]]:
    rows = artifacts.query(catalog_sql("facts"))
    for (
        schema,
        name,
        path,
        category,
        primary,
        foreign,
        values,
        distinct_count,
        null_count,
        *days,
        privacy,
    ) in rows:
        if (table := tables.get(TableRef(schema, name))) is None:
            continue
        # The dates of a partly read family are unknown.
        knows_days = all(days) and not (table.family and table.family.coverage)
        # Enum values may be requested before any row has them.
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
                null_count=null_count,
                seen_in=tuple((text, members) for text, members in _values(values) if members),
                days=(days[0], days[1]) if knows_days else None,
                is_masked=privacy == "mask",
            ),
        )


def _joins(artifacts: Artifacts) -> Iterator[KeyPair]:
    rows = artifacts.query(catalog_sql("joins")) if artifacts.holds("linker_joins") else []
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
