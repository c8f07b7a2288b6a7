"""
Whether an SQL statement answers a question: enter the written statement and the right ones, leaves yes, no or unknown.

Statements are run by a callable that is passed in, so that this is the same for every warehouse and never opens one.
Two results are the same when they have the same rows as often, in any order unless the right statement orders them,
column by column by position; names of columns do not matter, and numbers may differ by the noise of floating point.
That is stricter than BIRD, which compares sets of rows, and than Spider 2.0, which forgives columns in excess.
"""

import datetime
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.errors import LinkerError

Row = Sequence[object]
Execute = Callable[[str], Sequence[Row]]
RELATIVE_NOISE = 1e-6
ABSOLUTE_NOISE = 1e-9
MOST_ROWS_TO_MATCH = 2000


def is_executed_right(predicted: str | None, right: Sequence[str], execute: Execute, dialect: str) -> bool | None:
    """
    Whether the written statement gives the rows of any right one; None where no right one runs.

    `execute` raises a LinkerError for a statement that fails: a written statement that fails is wrong.
    """
    expected = [(rows, is_ordered(sql, dialect)) for sql in right if (rows := _rows(sql, execute)) is not None]
    if not expected:
        return None
    answered = _rows(predicted, execute) if predicted else None
    return answered is not None and any(same_rows(answered, rows, ordered=ordered) for rows, ordered in expected)


def is_ordered(sql: str, dialect: str) -> bool:
    """Whether the statement as a whole orders its rows; an order inside a sub-query or a window does not count."""
    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except SqlglotError:
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def same_rows(first: Sequence[Row], second: Sequence[Row], *, ordered: bool) -> bool:
    """Whether two results hold the same rows as often, in the same order where that is asked for."""
    if len(first) != len(second):
        return False
    if ordered:
        return all(map(_same_row, first, second))
    buckets: defaultdict[Hashable, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((first, second)):
        for row in rows:
            buckets[tuple(map(_exact, row))][side].append(row)
    return all(_matched(left, right) for left, right in buckets.values())


def _rows(sql: str, execute: Execute) -> Sequence[Row] | None:
    try:
        return execute(sql)
    except LinkerError:
        return None


def _matched(left: list[Row], right: list[Row]) -> bool:
    """Whether rows that agree in all but their numbers can be paired off."""
    if len(left) != len(right):
        return False
    if all(map(_same_row, sorted(left, key=_by_numbers), sorted(right, key=_by_numbers))):
        return True
    # Noise can change the order of rows that differ in a later number only; then each is looked for by itself.
    return len(left) <= MOST_ROWS_TO_MATCH and _pairs_off(left, right)


def _pairs_off(left: list[Row], right: list[Row]) -> bool:
    remaining = list(right)
    for row in left:
        for position, other in enumerate(remaining):
            if _same_row(row, other):
                del remaining[position]
                break
        else:
            return False
    return True


def _same_row(first: Row, second: Row) -> bool:
    return len(first) == len(second) and all(map(_same_value, first, second))


def _same_value(first: object, second: object) -> bool:
    left, right = _number(first), _number(second)
    if left is None or right is None:
        return left is right and _exact(first) == _exact(second)
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    return math.isclose(left, right, rel_tol=RELATIVE_NOISE, abs_tol=ABSOLUTE_NOISE)


def _by_numbers(row: Row) -> tuple[float, ...]:
    """Where a row stands among those that agree in the rest: by its numbers, rounded to six digits."""
    numbers = [number for value in row if (number := _number(value)) is not None]
    return tuple(math.inf if math.isnan(number) else float(f"{number:.6g}") for number in numbers)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float | Decimal) else None


def _exact(value: object) -> Hashable:
    """What has to agree to the letter: anything but numbers, which all count as one here."""
    if _number(value) is not None:
        return (float,)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat().replace("T", " ").removesuffix(" 00:00:00")
    if value is None or isinstance(value, str | bytes):
        return value
    return repr(value)
