"""The conditions of a statement: enters a frame with its meanings, leave the parts of a `where`."""

from collections.abc import Iterator, Sequence

from sqlglot import exp

from linker.sql.simple.chunks import Chunk
from linker.sql.simple.errors import CannotWriteError
from linker.sql.simple.frame import Condition
from linker.sql.simple.joining import Step, Tree
from linker.sql.simple.moments import Times
from linker.sql.simple.names import NO, YES
from linker.sql.simple.parts import Parts
from linker.sql.simple.phrases import BACKWARDS
from linker.sql.simple.sources import Exists, matched, read_from
from linker.types import ColumnRef

COMPARED = {">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE, "=": exp.EQ, "<>": exp.NEQ}


class Conditions:
    """Writes the conditions of one frame."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._times = parts, Times(parts)
        self._frame, self._resolved, self._names = parts.frame, parts.resolved, parts.names
        self._joins, self._write = parts.joins, parts.write

    def all(self, tree: Tree, branches: Sequence[Exists] = ()) -> Iterator[exp.Expr]:
        """Every condition; CannotWriteError where one cannot be written."""
        apart = [condition for branch in branches for condition in branch.conditions]
        for condition in self._frame.conditions:
            if condition not in apart:
                yield self._one(condition, tree)
        for branch in branches:
            yield self._exists(branch)
        for chunk in self._frame.absent:
            yield self._absent(chunk, tree)

    def _one(self, condition: Condition, tree: Tree) -> exp.Expr:
        chunk = condition.value
        if chunk and chunk.period:
            return self._times.condition(condition, chunk, tree)
        if chunk and (chunk.values or chunk.quoted is not None):
            return self._value(condition, chunk, tree)
        column = self._resolved.column(condition.name) if condition.name else None
        if column is None:
            raise CannotWriteError("a condition is about something that is not found in the linked schema")
        if condition.of_average:
            average = exp.Select(expressions=[exp.Avg(this=self._write.column(column))])
            other = exp.Subquery(this=average.from_(self._write.table(column.table)))
            return COMPARED[condition.operator](this=self._write.column(column), expression=other)
        return self._flag(column) if condition.operator == "flag" else self._number(condition, column)

    def _number(self, condition: Condition, column: ColumnRef) -> exp.Expr:
        """A comparison with numbers."""
        written, number, scale = self._write.column(column), condition.number, self._parts.scale(column)
        if condition.name and condition.name.measured in BACKWARDS and not self._names.is_measure(column):
            raise CannotWriteError("an age is compared, and only dates are known")
        if condition.operator not in COMPARED or number is None:
            raise CannotWriteError("a comparison without a number")
        if condition.to_number is not None:
            low, high = sorted((number, condition.to_number))
            between = exp.Between(this=written, low=as_number(scale * low), high=as_number(scale * high))
            return exp.Not(this=between) if condition.operator == "<>" else between
        if condition.numbers:
            return exp.In(this=written, expressions=[as_number(scale * one) for one in (number, *condition.numbers)])
        if self._names.is_number(column):
            return COMPARED[condition.operator](this=written, expression=as_number(scale * number))
        if condition.operator == "=":
            return exp.EQ(this=written, expression=exp.Literal.string(as_number(number).name))
        self._parts.doubt(f"{column.path} holds texts, which are read as numbers")
        cast = exp.TryCast(this=written, to=exp.DataType.build("double"))
        return COMPARED[condition.operator](this=cast, expression=as_number(number))

    def _value(self, condition: Condition, chunk: Chunk, tree: Tree) -> exp.Expr:
        """The column holds a value, or one of several."""
        column = self._resolved.column(chunk)
        if column is None:
            column = self._resolved.column(condition.name) if condition.name else None
            if column is None or chunk.quoted is None:
                raise CannotWriteError(f"“{chunk.text}” was found in no column of the linked schema")
            self._parts.doubt(f"whether {column.path} holds “{chunk.quoted}” is not known")
        chunks = (chunk, *condition.others)
        values = [self._held(one, column) for one in chunks]
        is_denied = condition.operator in ("<>", "not in")
        if is_denied and self._may_repeat(column, tree):
            raise CannotWriteError("what none of several rows may hold is asked for")
        written = self._write.column(column)
        if len(values) == 1:
            return COMPARED["<>" if is_denied else "="](this=written, expression=values[0])
        found = exp.In(this=written, expressions=values)
        return exp.Not(this=found) if is_denied else found

    def _may_repeat(self, column: ColumnRef, tree: Tree) -> bool:
        """Whether what is asked for may have several rows of the column's table: one that fits not would be enough."""
        asked = [
            table
            for one in (*(item.name for item in self._frame.items), *self._frame.mentioned)
            if one and (table := self._resolved.table(one))
        ]
        for table in asked[:1]:
            seen = self._joins.rooted(frozenset(tree.tables), table)
            return seen is None or any(column.table in seen.leads_to(step) for step in seen.repeating)
        return False

    def _held(self, chunk: Chunk, column: ColumnRef) -> exp.Expr:
        """The value as its column spells it."""
        held = [one for one in chunk.values if one.ref == column]
        if not held and chunk.quoted is None:
            raise CannotWriteError(f"“{chunk.text}” is no value of {column.path}")
        spellings = sorted({one.value for one in held}, key=lambda one: (one != chunk.text, one))
        if len(spellings) > 1 and spellings[0] != chunk.text:
            self._parts.doubt(f"“{chunk.text}” may be {' or '.join(spellings[:3])}")
        text = spellings[0] if spellings else chunk.quoted or ""
        return (
            as_number(float(text)) if self._names.is_number(column) and _is_number(text) else exp.Literal.string(text)
        )

    def _flag(self, column: ColumnRef) -> exp.Expr:
        """A column of two values, of which one says yes."""
        written, known = self._write.column(column), self._names.of(column)
        if self._names.all_columns[column].data_type.upper() in ("BOOLEAN", "BOOL"):
            return exp.EQ(this=written, expression=exp.true())
        yes = [value for value in known.values if value.casefold() in YES]
        no = [value for value in known.values if value.casefold() in NO]
        if len(yes) != 1 or (known.distinct_count or 0) > 2 or len(yes) + len(no) < len(known.values):
            raise CannotWriteError(f"what {column.path} has to be is not said")
        value = as_number(float(yes[0])) if self._names.is_number(column) else exp.Literal.string(yes[0])
        return exp.EQ(this=written, expression=value)

    def _exists(self, branch: Exists) -> exp.Expr:
        """That a row has any of another table that meets the conditions."""
        inner = read_from(exp.Select(expressions=[exp.Literal.number(1)]), branch.branch, self._write)
        inner = inner.where(matched(branch.step, self._write), copy=False)
        for condition in branch.conditions:
            inner = inner.where(self._one(condition, branch.branch), copy=False)
        return exp.Exists(this=inner)

    def _absent(self, chunk: Chunk, tree: Tree) -> exp.Expr:
        table = self._resolved.table(chunk)
        pair = next((found for one in tree.tables if table and (found := self._joins.best(one, table))), None)
        if table is None or pair is None or pair.left != table:
            raise CannotWriteError(f"how “{chunk.text}” would be missing is not known")
        if self._joins.rivals(pair):
            self._parts.doubt(f"{pair.left} and {pair.right} join in several ways")
        step = Step(pair.right, table, pair)
        self._parts.doubt_table(table)
        self._parts.doubt_join(step)
        inner = exp.Select(expressions=[exp.Literal.number(1)]).from_(self._write.table(table))
        return exp.Not(this=exp.Exists(this=inner.where(matched(step, self._write))))


def as_number(number: float) -> exp.Expr:
    """A number as statements write it."""
    return exp.Literal.number(int(number) if number == int(number) else number)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
