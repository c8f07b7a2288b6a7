"""
Executes SQL through the guard and normalises cells: times as ISO text, decimals as numbers, nested
values as JSON.
"""

import datetime
import json
import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from itertools import chain
from typing import Protocol

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from linker.errors import BudgetExceeded, GuardError, WarehouseError
from linker.linking.result import LinkedSchema
from linker.sql import Attempt, Cell, Result
from linker.sql_analysis import MergedTables, Tables, read_sql
from linker.sql_analysis.tables import conjuncts
from linker.sql_policy.guard import Guard, ProbeLimits
from linker.text.values import edit_distance
from linker.text.words import readable
from linker.types import Catalog, ColumnRef
from linker.warehouses import Row, Warehouse
from linker.warehouses.base import Bounds

_LONGEST_ERROR = 500
_LONGEST_TEXT = 500
_MAX_CONDITIONS = 6
_MAX_VALUES = 5
_COMPARISONS = (exp.EQ, exp.In, exp.Like, exp.ILike)
# Permission to run a statement; returns the seconds left.
Admit = Callable[[], float | None]


class Guarded(Protocol):
    @property
    def session(self) -> Warehouse: ...

    def guard_within(self, limits: ProbeLimits) -> Guard: ...


class Statements:
    """Checks and runs the SQL of a linked schema; without `admit` nothing runs."""

    def __init__(
        self, schema: LinkedSchema, warehouse: Guarded, limits: ProbeLimits, admit: Admit | None
    ) -> None:
        self._schema = schema
        self._warehouse = warehouse
        self._rows = limits.rows
        self._admit = admit
        # One row more shows whether the result is complete.
        within = replace(limits, rows=limits.rows + 1)
        self._guard = warehouse.guard_within(within)
        self._bounds = Bounds(within.seconds, within.bytes_billed, within.rows)
        self.dialect = warehouse.session.dialect

    def attempt(self, sql: str) -> Attempt:
        """Check and run a statement; BudgetExceeded beyond the limit."""
        checked = self.checked(sql)
        return (
            checked if checked.error or self._admit is None else self._run(checked, self._admit())
        )

    def emptying(self, sql: str) -> Iterator[str]:
        """Conditions that make a result empty, and similar values for their unmatched texts."""
        for index in range(_MAX_CONDITIONS):
            tree = sqlglot.parse_one(sql, read=self.dialect)
            wheres = [where.this for where in tree.find_all(exp.Where)]
            conditions = list(chain.from_iterable(map(conjuncts, wheres)))
            if index >= len(conditions):
                return
            words = readable(conditions[index].sql(dialect=self.dialect))
            text, query = _values_near(conditions[index], self.dialect)
            conditions[index].replace(exp.true())
            try:
                attempt = self.attempt(tree.sql(dialect=self.dialect))
                near = self.attempt(query).result if query else None
            except BudgetExceeded:
                return
            if attempt.has_run and not attempt.is_void:
                yield f"Without {words} it gives rows."
            values = [str(row[0]) for row in near.rows] if near else []
            if values and text not in values:
                values.sort(key=lambda value: edit_distance(text.lower(), value.lower()))
                yield readable(f"Near to {words} there is {', '.join(values[:_MAX_VALUES])}.")

    def may_be_shown(self, sql: str) -> bool:
        """Whether the guard permits it, and no literal may be a value of a private column."""
        try:
            return not self._guard.check(sql).has_private_literal
        except GuardError:
            return False

    def checked(self, sql: str) -> Attempt:
        """Check without running."""
        try:
            probe = self._guard.check(sql)
        except GuardError as error:
            return Attempt(sql, error=f"refused ({error.code}): {error.what}; {error.hint}")
        tree = sqlglot.parse_one(probe.original, read=self.dialect)
        return Attempt(
            pretty(probe.original, self.dialect),
            probe.sql,
            used=tuple(used_columns(probe.original, self.dialect, self._schema)),
            is_ordered=tree.args.get("order") is not None,
            masked=probe.masked,
        )

    def _run(self, attempt: Attempt, seconds_left: float | None) -> Attempt:
        bounds = self._bounds
        if seconds_left is not None:
            bounds = replace(bounds, seconds=max(1, min(bounds.seconds, int(seconds_left))))
        try:
            rows = self._warehouse.session.query(attempt.runs, (), bounds)
        except WarehouseError as error:
            return replace(attempt, error=readable(error.what)[:_LONGEST_ERROR])
        return replace(attempt, result=self._result(attempt.sql, rows))

    def _result(self, sql: str, rows: list[Row]) -> Result:
        kept = tuple(tuple(map(plain, row)) for row in rows[: self._rows])
        return Result(
            column_names(sql, self.dialect, len(kept[0]) if kept else None),
            kept,
            len(rows) > self._rows,
        )


def _values_near(condition: exp.Expr, dialect: str) -> tuple[str, str]:
    """A text compared with a column, and a query for similar values; empty for other conditions."""
    column = condition.find(exp.Column)
    text = condition.find(exp.Literal)
    select = condition.find_ancestor(exp.Select)
    if not (isinstance(condition, _COMPARISONS) and column and text and text.is_string and select):
        return "", ""
    name, letters = column.sql(dialect=dialect), text.this.strip("%").lower()
    holding, beginning = (
        exp.Literal.string(like).sql(dialect=dialect)
        for like in (f"%{letters}%", f"{letters[:3]}%")
    )
    is_near = (
        f"lower({name}) like {beginning} and length({name}) between {len(letters) - 2} and "
        f"{len(letters) + 2}"
    )
    query = select.copy().select(column.copy(), append=False).distinct()
    query = query.where(f"lower({name}) like {holding} or {is_near}", append=False, dialect=dialect)
    for part in ("group", "having", "qualify", "order", "limit", "offset"):
        query.set(part, None)
    return text.this, query.sql(dialect=dialect)


def pretty(sql: str, dialect: str) -> str:
    """Formatted SQL; unchanged if unparsable."""
    try:
        return sqlglot.parse_one(sql, read=dialect).sql(dialect=dialect, pretty=True)
    except SqlglotError:
        return sql.strip()


def column_names(sql: str, dialect: str, width: int | None) -> tuple[str, ...]:
    """Result column names, or numbers if they are not all stated."""
    tree = sqlglot.parse_one(sql, read=dialect)
    selects = tree.selects if isinstance(tree, exp.Query) else []
    names = tuple(select.alias_or_name or select.sql(dialect=dialect).lower() for select in selects)
    if width is None:
        return tuple(name for name in names if name != "*")
    is_whole = len(names) == width and "*" not in names
    return names if is_whole else tuple(f"column {number}" for number in range(1, width + 1))


def used_columns(sql: str, dialect: str, schema: LinkedSchema) -> Iterable[ColumnRef]:
    """Linked columns that a statement reads, in schema order."""
    tables = tuple(linked.table for linked in schema.tables)
    reads = read_sql(sql, Tables(MergedTables.create(dialect, Catalog(tables, len(tables)))))
    read = set(chain.from_iterable(reads.fields))
    for table in schema.tables:
        for linked in table.columns:
            ref = ColumnRef(table.table.ref, linked.column.path)
            # Reading a nested path reads its parents, and vice versa.
            if any(other.table == ref.table and _is_around(ref.path, other.path) for other in read):
                yield ref


def _is_around(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")


def plain(value: object) -> Cell:
    """A cell as a JSON scalar."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat().replace("T", " ").removesuffix(" 00:00:00")
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)[:_LONGEST_TEXT]
    return str(value)
