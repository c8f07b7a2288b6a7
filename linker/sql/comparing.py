"""
Compares query results, and groups candidates by result, the largest group first.

Results are equal if they hold the same rows with the same multiplicity, in any order unless the
question asks for one; floats compare with a tolerance. `same_rows` fixes column order,
`same_result` allows any, `holds_columns` allows extra columns.
"""

import datetime
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from functools import partial
from operator import itemgetter

from linker.linking.linking_state import credibility
from linker.sql import Attempt, Candidate
from linker.types import Record

Row = Sequence[object]
SameRows = Callable[[Sequence[Row], Sequence[Row]], bool]
RELATIVE_NOISE = 1e-6
ABSOLUTE_NOISE = 1e-9
MAX_ROWS_TO_MATCH = 2000
# Wider results, or those with too many similar columns, compare by position.
MAX_COLUMNS_TO_MOVE = 12
_MAX_ORDERS = 200
_ASKS_FOR_ORDER = re.compile(
    r"\b(?:sort(?:ed)?|order(?:ed)? (?:by|of|from)|(?:in|by) (?:\w+ ){0,3}order\b|rank(?:ed|ing)?|ascending|descending"  # noqa: E501
    r"|alphabetical(?:ly)?|chronological(?:ly)?|from (?:the )?\w+est to)\b",
    re.IGNORECASE,
)


def same_result(first: Sequence[Row], second: Sequence[Row], *, ordered: bool) -> bool:
    """Whether results have the same rows for some column order."""
    same = partial(same_rows, ordered=ordered)
    return same(first, second) or (
        _widths(first) == _widths(second) and holds_columns(first, second, same)
    )


def _column(rows: Sequence[Row], index: int) -> list[Row]:
    return [(row[index],) for row in rows]


def holds_columns(result: Sequence[Row], other: Sequence[Row], same: SameRows) -> bool:
    """Whether some columns of `result` equal all columns of `other`."""
    if len(result) != len(other) or not len(_widths(result)) == len(_widths(other)) == 1:
        return False
    width, wanted = len(result[0]), len(other[0])
    if wanted > min(width, MAX_COLUMNS_TO_MOVE):
        return False
    columns = [_column(result, index) for index in range(width)]
    fits: list[list[int]] = []
    for position in range(wanted):
        column = _column(other, position)
        fits.append([index for index in range(width) if same(columns[index], column)])
    tried = Counter[str]()

    def place_rest(chosen: tuple[int, ...]) -> bool:
        if len(chosen) == wanted:
            tried["orders"] += 1
            return same([list(map(row.__getitem__, chosen)) for row in result], other)
        return any(
            place_rest((*chosen, index))
            for index in fits[len(chosen)]
            if index not in chosen and tried["orders"] < _MAX_ORDERS
        )

    return place_rest(())


def _widths(rows: Sequence[Row]) -> set[int]:
    return {len(row) for row in rows}


def same_rows(first: Sequence[Row], second: Sequence[Row], *, ordered: bool) -> bool:
    """Whether rows are equal as multisets, or as lists if ordered."""
    if len(first) != len(second):
        return False
    if ordered:
        return all(map(_same_row, first, second))
    buckets: defaultdict[Hashable, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((first, second)):
        for row in rows:
            buckets[tuple(map(_exact, row))][side].append(row)
    return all(_matched(left, right) for left, right in buckets.values())


def _matched(left: list[Row], right: list[Row]) -> bool:
    """Whether rows that agree except in numbers can be paired."""
    if len(left) != len(right):
        return False
    if all(map(_same_row, sorted(left, key=_by_numbers), sorted(right, key=_by_numbers))):
        return True
    # Rounding may reorder rows that differ in a later number; match them individually.
    return len(left) <= MAX_ROWS_TO_MATCH and _pairs_off(left, right)


def _pairs_off(left: list[Row], right: list[Row]) -> bool:
    remaining = list(right)
    for row in left:
        position = next(
            (index for index, other in enumerate(remaining) if _same_row(row, other)), None
        )
        if position is None:
            return False
        del remaining[position]
    return True


def _same_row(first: Row, second: Row) -> bool:
    return len(first) == len(second) and all(map(_same_value, first, second))


def _same_value(first: object, second: object) -> bool:
    left, right = _number(first), _number(second)
    if left is None or right is None:
        return left is right and _exact(first) == _exact(second)
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    return math.isclose(left, right, rel_tol=RELATIVE_NOISE, abs_tol=ABSOLUTE_NOISE)


def _by_numbers(row: Row) -> tuple[float, ...]:
    """Sort key by numbers, rounded to nine digits."""
    numbers: list[float] = []
    for value in row:
        number = _number(value)
        if number is not None:
            numbers.append(math.inf if math.isnan(number) else float(f"{number:.9g}"))
    return tuple(numbers)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float | Decimal) else None


def _exact(value: object) -> Hashable:
    """The part that must agree exactly; all numbers count as equal here."""
    if _number(value) is not None:
        return (float,)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat().replace("T", " ").removesuffix(" 00:00:00")
    if value is None or isinstance(value, str | bytes):
        return value
    return repr(value)


class ResultGroup(Record, frozen=True):
    """Candidates with equal results, represented by the first."""

    members: tuple[Candidate, ...]

    @property
    def representative(self) -> Candidate:
        """The representative."""
        return self.members[0]

    @property
    def attempt(self) -> Attempt:
        """The representative's successful attempt."""
        last = self.representative.last
        if last is None or last.result is None:
            raise ValueError("a group holds candidates that ran")
        return last


def asks_for_order(question: str) -> bool:
    """Whether a question asks for an order of rows."""
    return bool(_ASKS_FOR_ORDER.search(question))


def grouped(candidates: Sequence[Candidate], question: str) -> tuple[ResultGroup, ...]:
    """
    Groups by size, then by first candidate.

    Row order counts if the question asks for one, or every candidate sorts.
    """
    ran = [
        (candidate, candidate.last)
        for candidate in sorted(candidates, key=lambda candidate: candidate.number)
        if candidate.last and candidate.last.has_run
    ]
    is_ordered = bool(ran) and (
        asks_for_order(question) or all(attempt.is_ordered for _, attempt in ran)
    )
    groups: list[list[tuple[Candidate, Attempt]]] = []
    for candidate, attempt in ran:
        for group in groups:
            if _is_same(group[0][1], attempt, ordered=is_ordered):
                group.append((candidate, attempt))
                break
        else:
            groups.append([(candidate, attempt)])
    result_groups = [ResultGroup(tuple(map(itemgetter(0), group))) for group in groups]
    return tuple(
        sorted(result_groups, key=lambda group: (-len(group.members), group.representative.number))
    )


def confidence(group: ResultGroup, candidates: Sequence[Candidate]) -> float:
    """
    Credibility that more than half of all distinct statements give this result; failed ones vote
    against it.
    """
    return credibility(_different(group.members), _different(candidates))


def _different(candidates: Sequence[Candidate]) -> int:
    """Distinct statements, ignoring case and whitespace."""
    texts = set[str]()
    for candidate in candidates:
        written = candidate.last.sql if candidate.last else f"none of {candidate.number}"
        texts.add(" ".join(written.casefold().rstrip("; \n").split()))
    return len(texts)


def largest(groups: Sequence[ResultGroup]) -> tuple[ResultGroup, ...]:
    """All groups of maximum size."""
    return tuple(group for group in groups if len(group.members) == len(groups[0].members))


def _is_same(attempt: Attempt, other: Attempt, *, ordered: bool) -> bool:
    if (
        attempt.result is None
        or other.result is None
        or attempt.result.is_cut != other.result.is_cut
    ):
        return False
    return same_result(attempt.result.rows, other.result.rows, ordered=ordered)
