"""Which time a question means: enters the tree of a statement, leave conditions on it and units of it."""

from collections.abc import Set

from sqlglot import exp

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.errors import CannotWriteError
from linker.sql.simple.frame import Condition
from linker.sql.simple.joining import Tree
from linker.sql.simple.parts import Parts
from linker.sql.simple.phrases import BEGINS
from linker.sql.simple.times import time_condition, time_unit
from linker.types import ColumnRef, TableRef
from linker.words import words_of_name

_LETTERS = 4


class Times:
    """The times of one statement."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._names = parts, parts.names

    def unit(self, unit: str, tree: Tree) -> exp.Expr:
        """What rows are grouped by where a unit of time is asked for."""
        column = self._column(tree)
        if column is None:
            raise CannotWriteError(f"which {unit} is meant is not known")
        known = self._names.all_columns[column], self._names.of(column)
        written = time_unit(self._parts.write.column(column), *known, unit)
        if written is None:
            raise CannotWriteError(f"{column.path} cannot be read by {unit}")
        return written

    def condition(self, condition: Condition, chunk: Chunk, tree: Tree) -> exp.Expr:
        """The time lies in a period, or in one of several."""
        column = self._parts.resolved.column(condition.name) if condition.name else self._column(tree)
        if column is None:
            raise CannotWriteError(f"which time “{chunk.text}” is of is not known")
        known = self._names.all_columns[column], self._names.of(column)
        parts = []
        for one in (*condition.others, chunk):
            if one.period is None:
                continue
            written = time_condition(self._parts.write.column(column), *known, condition.operator, one.period)
            if written is None:
                raise CannotWriteError(f"how {column.path} keeps its times is not known")
            parts.append(written)
        return exp.or_(*parts) if len(parts) > 1 else parts[0]

    def _column(self, tree: Tree) -> ColumnRef | None:
        """The column of the root that says when, or of a table that it leads to; of those it has many of first."""
        held = [one.child for one in tree.repeating if one.child in self._parts.resolved.tables]
        held = [table for table in held if self._names.times_of(table)]
        if held and self._names.times_of(tree.root):
            self._parts.doubt(f"the time is taken to be of {held[0]}, and may be of {tree.root}")
        for table in (*held, *tree.tables):
            times = self._names.times_of(table)
            if len(times) > 1:
                times = self._likeliest(table, times)
            if len(times) > 1:
                self._parts.doubt(f"the time may be any of {', '.join(ref.path for ref in times[:4])}")
            if times:
                order = self._names.columns_of(table)
                return max(times, key=lambda ref: (self._names.odds.get(ref, 0.0), -order.index(ref)))
        return None

    def _likeliest(self, table: TableRef, times: list[ColumnRef]) -> list[ColumnRef]:
        """Those that the question speaks of, else those called like the table, else those at which a row begins."""
        words = {ref: set(words_of_name(ref.path)) for ref in times}
        called = set(words_of_name(table.name))
        for told in (self._parts.spoken, called, BEGINS):
            if fitting := [ref for ref in times if words[ref] & told]:
                return fitting
            if told is called and (fitting := [ref for ref in times if _is_deed(words[ref], called)]):
                return fitting
        return times


def _is_deed(words: Set[str], called: Set[str]) -> bool:
    """Whether a time is of what makes a row of the table: shipments are shipped."""
    return any(one.startswith(word) for one in called for word in words if len(word) >= _LETTERS)
