"""
Enters a linked schema and the facts of its warehouse; leaves it with what they tell of its parts.

Columns get their keys and examples, joins what was measured of them, and all of it how queries of
others use it. What a strategy said itself stands: a value that the question names is the first
example, a join keeps its reason.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from linker.catalog.facts import ColumnFacts, Facts, KeyPair
from linker.catalog.prior_use import NO_PRIOR_USE
from linker.link.answer import BY_NAME, Evidence, Join, LinkedColumn, LinkedSchema, LinkedTable
from linker.types import ColumnRef, Ref, TableRef

# More say little about what a column holds, and cost every reader of a prompt.
MOST_EXAMPLES = 3
# Of these one shows the form, and others show no more.
_ALIKE = ("identifier", "date", "timestamp")

_Sides = tuple[TableRef, TableRef, frozenset[tuple[str, str]]]


def described(schema: LinkedSchema, facts: Facts) -> LinkedSchema:
    """The same tables, columns and joins; described twice they stay as they are."""
    measured: dict[_Sides, KeyPair] = {}
    for join in schema.joins:
        for pair in facts.between(join.left, join.right):
            measured.setdefault(_sides(pair), pair)
    return replace(
        schema,
        tables=tuple(_table(linked, facts) for linked in schema.tables),
        further_tables=tuple(_table(linked, facts) for linked in schema.further_tables),
        joins=tuple(_used(_join(join, measured), facts) for join in schema.joins),
    )


def known_facts_of(
    columns: Iterable[ColumnRef], facts: Facts, named: Mapping[ColumnRef, str]
) -> Facts:
    """The facts that describe these columns; values that the question names come first."""
    needed = {}
    for ref in columns:
        known = facts.of(ref)
        examples = (named[ref],) if ref in named else ()
        needed[ref] = replace(known, values=_examples(examples, known))
    return Facts(needed, prior_use=facts.prior_use.of(needed) if facts.prior_use else NO_PRIOR_USE)


def _table(linked: LinkedTable, facts: Facts) -> LinkedTable:
    columns = tuple(_column(column, linked.table.ref, facts) for column in linked.columns)
    further = tuple(_column(column, linked.table.ref, facts) for column in linked.further)
    evidence = _with_use(linked.evidence, linked.table.ref, facts)
    return replace(linked, columns=columns, further=further, evidence=evidence)


def _with_use(evidence: tuple[Evidence, ...], ref: Ref, facts: Facts) -> tuple[Evidence, ...]:
    usage = facts.prior_use.summary(ref)
    if not usage or any(item.kind == "usage" for item in evidence):
        return evidence
    return (*evidence, Evidence("usage", usage))


def _column(linked: LinkedColumn, table: TableRef, facts: Facts) -> LinkedColumn:
    known = facts.of(ColumnRef(table, linked.column.path))
    return replace(
        linked,
        is_primary_key=linked.is_primary_key or known.is_primary_key,
        points_to=linked.points_to or known.points_to,
        examples=_examples(linked.examples, known),
        evidence=_with_use(linked.evidence, ColumnRef(table, linked.column.path), facts),
    )


def _examples(first: tuple[str, ...], known: ColumnFacts) -> tuple[str, ...]:
    """A few values, those that were said first."""
    enough = 1 if known.category in _ALIKE else MOST_EXAMPLES
    return tuple(dict.fromkeys((*first, *known.values)))[: max(enough, len(first))]


def _join(join: Join, measured: Mapping[_Sides, KeyPair]) -> Join:
    """
    The join with its measures, which are of the side that points: one that is written the other way
    is turned.
    """
    if join.overlap is not None or join.fan_out is not None:
        return join
    left, right, columns = _sides(join)
    pair = measured.get((left, right, columns))
    if pair is not None:
        return replace(
            join, overlap=pair.overlap, fan_out=pair.fan_out, cardinality=pair.cardinality
        )
    pair = measured.get((right, left, frozenset((other, column) for column, other in columns)))
    if pair is None:
        return join
    measures = (pair.overlap, pair.fan_out, pair.cardinality)
    return Join(
        pair.left, pair.left_columns, pair.right, pair.right_columns, join.reason, *measures
    )


def _used(join: Join, facts: Facts) -> Join:
    """The join with how many queries have it; that may be all that is known of it."""
    pairs = zip(join.left_columns, join.right_columns, strict=True)
    uses = [
        facts.prior_use.join(ColumnRef(join.left, column), ColumnRef(join.right, other))
        for column, other in pairs
    ]
    found = [use for use in uses if use]
    if len(found) < len(uses) or str(found[0]) in join.reason:
        return join
    use = min(found, key=lambda use: use.queries)
    known = f"confidence {use.confidence:.2f}" if join.reason == BY_NAME else join.reason
    return replace(join, reason=f"{use}; {known}")


def _sides(join: Join | KeyPair) -> _Sides:
    return join.left, join.right, frozenset(zip(join.left_columns, join.right_columns, strict=True))
