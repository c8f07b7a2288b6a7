"""
The text of probes: enter a question with columns or a join, leaves one statement in the dialect of the warehouse.

It is built as a tree, so that no name and no literal is ever pasted into a text.
"""

from collections.abc import Iterable

from sqlglot import exp

from linker.link.hypotheses import JoinHint
from linker.link.question import LinkedQuestion
from linker.types import ColumnRef, TableRef


def search_for(question: LinkedQuestion, name: str, columns: Iterable[ColumnRef], dialect: str) -> str:
    """One statement that tells which of these columns hold a name, and in which spelling."""
    parts = [
        exp.select(
            exp.alias_(exp.Literal.string(str(ref)), "held_by"),
            exp.alias_(exp.Min(this=_column(ref)), "value"),
        )
        .from_(_table(question, ref.table))
        .where(exp.GT(this=_place_of(name, ref), expression=exp.Literal.number(0)))
        .having(exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(0)))
        for ref in columns
    ]
    whole: exp.Query = parts[0]
    for part in parts[1:]:
        whole = exp.union(whole, part, distinct=False)
    return whole.sql(dialect=dialect)


def try_join(question: LinkedQuestion, pair: JoinHint, dialect: str) -> str:
    """A statement that gives a row where the two sides of a join meet."""
    left, right = pair
    sides = exp.EQ(
        this=exp.Cast(this=_column(left, "l"), to=exp.DataType.build("text")),
        expression=exp.Cast(this=_column(right, "r"), to=exp.DataType.build("text")),
    )
    query = (
        exp.select(exp.alias_(exp.Literal.number(1), "meets"))
        .from_(exp.alias_(_table(question, left.table), "l", table=True))
        .join(exp.alias_(_table(question, right.table), "r", table=True), on=sides)
        .limit(1)
    )
    return query.sql(dialect=dialect)


def _place_of(name: str, ref: ColumnRef) -> exp.StrPosition:
    """The place of the name in a value, whatever its case; 0 if it does not stand there."""
    return exp.StrPosition(this=exp.Lower(this=_column(ref)), substr=exp.Literal.string(name.lower()))


def _table(question: LinkedQuestion, ref: TableRef) -> exp.Table:
    """A table by its physical name: of a family one member stands for all."""
    family = question.catalog.table_by_ref[ref].family
    return exp.table_(family.representative if family else ref.name, db=ref.schema, quoted=True)


def _column(ref: ColumnRef, table: str | None = None) -> exp.Column:
    return exp.column(ref.path, table=table, quoted=True)
