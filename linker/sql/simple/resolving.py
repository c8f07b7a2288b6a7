"""
One meaning for each part: enters a frame, leaves for every name and value the table or column that it stands for.

All combinations of the likeliest meanings are weighed together: how well each fits, how few tables are needed, whether
columns are of tables that the question names. What is nearly as good is told, as it makes the answer uncertain.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.frame import SUMMED, Condition, Frame, Item
from linker.sql.simple.joining import Joins
from linker.sql.simple.names import Meaning, Names, table_of
from linker.sql.simple.phrases import MEASURED
from linker.types import ColumnRef, Ref, TableRef

_MOST_COMBINATIONS = 4_000
_TABLE_COSTS, _STRANGE_COSTS = 0.22, 0.25
_KEY, _SCORE = 0.06, 0.05
_NEAR = 0.1
# What fits so much worse is not meant, even where it would need fewer tables.
_MUCH_WORSE = 0.25
_OWNED = 0.5
# A period has to be of something.
_TIMELESS = 0.5
_SET_ASIDE = 0.3


@dataclass(frozen=True)
class Resolved:
    """What each chunk stands for; `others` are meanings that would do nearly as well."""

    refs: Mapping[Chunk, Ref]
    score: float
    others: tuple[tuple[Chunk, Ref], ...] = ()

    def column(self, chunk: Chunk) -> ColumnRef | None:
        """The column that a chunk stands for."""
        ref = self.refs.get(chunk)
        return ref if isinstance(ref, ColumnRef) else None

    def table(self, chunk: Chunk) -> TableRef | None:
        """The table that a chunk stands for, or that of its column."""
        ref = self.refs.get(chunk)
        return table_of(ref) if ref is not None else None

    @property
    def tables(self) -> frozenset[TableRef]:
        """All tables that are needed."""
        return frozenset(map(table_of, self.refs.values()))


class Resolver:
    """Weighs the meanings of one frame."""

    def __init__(self, names: Names, joins: Joins) -> None:
        self._names, self._joins = names, joins
        self._odds = names.odds
        self._is_timed = False
        self._has_times = cache(lambda table: bool(names.times_of(table)))

    def resolve(self, frame: Frame) -> Resolved | None:
        """The best combination; None where no tables can be connected."""
        slots = {chunk: meanings for chunk, meanings in self._slots(frame) if meanings}
        chunks = list(slots)
        absent = set(frame.absent)
        owners = dict(frame.owners)
        self._is_timed = any(one.value and one.value.period and not one.name for one in frame.conditions)
        found: list[tuple[float, tuple[Meaning, ...]]] = []
        for combination in islice(product(*(slots[chunk] for chunk in chunks)), _MOST_COMBINATIONS):
            score = self._score(chunks, combination, absent, owners)
            if score is not None:
                found.append((score, combination))
        if not found:
            return None
        best_score, best = max(found, key=lambda one: (one[0], tuple(str(meaning.ref) for meaning in one[1])))
        near = {
            (chunk, one.ref)
            for score, combination in found
            if score > best_score - _NEAR
            for chunk, one, chosen in zip(chunks, combination, best, strict=True)
            if one.score > chosen.score - _MUCH_WORSE and not self._are_joined(one.ref, chosen.ref)
        }
        refs = {chunk: one.ref for chunk, one in zip(chunks, best, strict=True)}
        return Resolved(refs, best_score, tuple(sorted(near, key=str)))

    def _are_joined(self, one: Ref, other: Ref) -> bool:
        """Whether two columns hold the same in every row, as they join their tables."""
        if one == other:
            return True
        if not isinstance(one, ColumnRef) or not isinstance(other, ColumnRef):
            return False
        ends = {(one.table, one.path), (other.table, other.path)}
        return any(
            ends == {(pair.left, left), (pair.right, right)}
            for pair in self._names.joins
            for left, right in zip(pair.left_columns, pair.right_columns, strict=True)
        )

    def _slots(self, frame: Frame) -> Iterator[tuple[Chunk, tuple[Meaning, ...]]]:
        for item in frame.items:
            if item.name:
                yield item.name, _selected(item.name, item)
        for chunk in frame.groups:
            yield chunk, _either(chunk)
        for condition in frame.conditions:
            yield from self._of_condition(condition)
        for order in frame.orders:
            if order.by:
                is_table = order.is_count and order.by.names_table(rather=True)
                yield order.by, self._measured(order.by) or (_tables(order.by) if is_table else _columns(order.by))
        for chunk in (*(one.counted for one in frame.having), *frame.mentioned, *frame.heads, *frame.absent):
            yield chunk, _tables(chunk)

    def _of_condition(self, condition: Condition) -> Iterator[tuple[Chunk, tuple[Meaning, ...]]]:
        if condition.name:
            yield condition.name, self._measured(condition.name) or _columns(condition.name)
        if condition.value and condition.value.values:
            named = [one.ref for one in condition.name.meanings] if condition.name else []
            held = dict.fromkeys(one.ref for one in condition.value.values)
            fitting = [ref for ref in held if ref in named] or list(held)
            yield condition.value, tuple(Meaning(ref, 1.0) for ref in fitting[:6])

    def _measured(self, chunk: Chunk) -> tuple[Meaning, ...]:
        """The columns that a word like oldest measures."""
        if not chunk.measured:
            return ()
        told, _ = MEASURED[chunk.measured]
        found = []
        for ref in self._names.columns:
            words = ref.path.lower().replace("_", " ")
            place = next((place for place, word in enumerate(told) if word in words), None)
            if place is not None and (self._names.is_number(ref) or self._names.is_time(ref) or "birth" in words):
                found.append(Meaning(ref, 0.95 - 0.05 * place))
        return tuple(sorted(found, key=lambda one: -one.score)[:5])

    def _score(
        self, chunks: list[Chunk], combination: tuple[Meaning, ...], absent: set[Chunk], owners: Mapping[Chunk, Chunk]
    ) -> float | None:
        tables = frozenset(
            table_of(one.ref) for chunk, one in zip(chunks, combination, strict=True) if chunk not in absent
        )
        pairs = self._joins.connect(tables) if tables else ()
        if pairs is None:
            return None
        named = {one.ref for one in combination if isinstance(one.ref, TableRef)}
        score = 0.0
        for one in combination:
            score += one.score
            if isinstance(one.ref, ColumnRef):
                score += _SCORE * self._odds.get(one.ref, 0.0)
                score += _KEY if self._names.of(one.ref).is_primary_key else 0.0
                score -= _STRANGE_COSTS if named and one.ref.table not in named else 0.0
        chosen = {chunk: one.ref for chunk, one in zip(chunks, combination, strict=True)}
        for chunk, owner in owners.items():
            if chunk in chosen and owner in chosen and table_of(chosen[chunk]) != table_of(chosen[owner]):
                score -= _OWNED
        # What was put away is meant only where the question says so.
        score -= _SET_ASIDE * len(tables & self._names.set_aside)
        if self._is_timed and not any(self._has_times(table) for table in tables):
            score -= _TIMELESS
        return score - _TABLE_COSTS * len(pairs)


def _selected(chunk: Chunk, item: Item) -> tuple[Meaning, ...]:
    """A table, where its rows are counted; a measure, where it is summed; else a column."""
    if item.aggregate == "count" and chunk.names_table(rather=True):
        # What is counted may stand in a column as well, which then is called just so.
        tables = _tables(chunk)
        return (*tables, *(one for one in chunk.meanings if one.is_measure and one.score > tables[0].score))
    measures = tuple(one for one in chunk.meanings if one.is_measure)[:4]
    return (measures if item.aggregate in SUMMED else ()) or _columns(chunk)


def _tables(chunk: Chunk) -> tuple[Meaning, ...]:
    return tuple(one for one in chunk.meanings if isinstance(one.ref, TableRef))[:4]


def _columns(chunk: Chunk) -> tuple[Meaning, ...]:
    """Its columns; where it names a table alone, the table, which is then known by its name."""
    if chunk.names_table() and (best := chunk.best_column) and best.score < chunk.meanings[0].score - 0.2:
        return _tables(chunk)
    return tuple(one for one in chunk.meanings if isinstance(one.ref, ColumnRef))[:5] or _tables(chunk)


def _either(chunk: Chunk) -> tuple[Meaning, ...]:
    """What rows may be grouped by: no measure, where something else may be meant."""
    told = [one for one in chunk.meanings if not one.is_measure]
    if told and told[0].score >= chunk.meanings[0].score - 0.1:
        return tuple(one for one in told if one.score >= told[0].score - 0.2)[:5]
    best = chunk.meanings[0].score if chunk.meanings else 0.0
    return tuple(one for one in chunk.meanings if one.score >= best - 0.2)[:5]
