"""
Test whether an SQL statement answers a question, beside the right ones: yes, no or unknown.

Statements are run by a callable that is passed in, so that this is the same for every warehouse and never opens one.
Two results are the same when they have the same rows as often, in any order unless the right statement orders them,
column by column by position; names of columns do not matter, and numbers may differ by the noise of floating point.
That is stricter than BIRD, which compares sets of rows, and than Spider 2.0, which forgives columns in excess.
"""

from collections.abc import Callable, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.errors import LinkerError
from linker.sql.comparing import Row, same_rows

Execute = Callable[[str], Sequence[Row]]


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
    """Test whether the statement as a whole orders its rows; an order inside a sub-query or a window does not count."""
    try:
        tree = sqlglot.parse_one(sql, read=dialect)
    except SqlglotError:
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _rows(sql: str, execute: Execute) -> Sequence[Row] | None:
    try:
        return execute(sql)
    except LinkerError:
        return None
