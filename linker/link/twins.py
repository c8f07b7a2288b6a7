"""
Twins: enter the columns that a model chose, leave near copies of their tables, and what tells which
of them is meant.

Rows and nulls stand in no panorama. They decide where hypotheses disagree, or where a copy has what
is asked for and the chosen table does not.
"""

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from linker.catalog.description import name_of
from linker.catalog.profile import TableProfile, column_profile
from linker.link.question import LinkedQuestion
from linker.types import ColumnRef, Record, Ref, TableRef

_MOST_TWINS = 3
# Fewer nulls than that tell nothing.
_MANY_NULLS = 0.05
_MOSTLY_NULLS = 0.5


class Twin(Record, frozen=True):
    """
    A near copy of a chosen table, with those of its columns that have the names of chosen ones.
    """

    of: TableRef
    table: TableRef
    columns: tuple[ColumnRef, ...]


def twins_of(question: LinkedQuestion, chosen: Iterable[ColumnRef]) -> tuple[Twin, ...]:
    """
    The likeliest near copies of the tables of these columns, archives and older versions included.
    """
    known, paths = question.ranked.known, dict[TableRef, set[str]]()
    for column in chosen:
        paths.setdefault(column.table, set()).add(column.path.casefold())
    tables = known.lexicon.tables
    places = {table.ref: place for place, table in enumerate(tables) if table.ref in paths}
    beside = [
        pair
        for kept in known.kept
        for pair in ((kept.place, kept.original), (kept.original, kept.place))
    ]
    found = list[Twin]()
    for ref, place in places.items():
        near = {*np.flatnonzero(known.lexicon.kin == known.lexicon.kin[place]).tolist()}
        near |= {other for own, other in beside if own == place}
        for other in sorted(
            near - {*places.values()}, key=lambda at: (-question.ranked.tables[at], at)
        )[:_MOST_TWINS]:
            columns = (
                each.path for each in tables[other].columns if each.path.casefold() in paths[ref]
            )
            if same := tuple(ColumnRef(tables[other].ref, path) for path in columns):
                found.append(Twin(ref, tables[other].ref, same))
    return tuple(found)


class Measured:
    """
    Rows, days and nulls of tables and columns, and whether they reach into the periods of the
    question.
    """

    def __init__(
        self, question: LinkedQuestion, profile_of: Callable[[TableRef], TableProfile | None]
    ) -> None:
        self._catalog = question.catalog
        self._profile_of = cache(
            profile_of if question.ranked.known.is_profiled else lambda _ref: None
        )
        self._periods = [
            period for period in question.mentions.periods if period.first or period.last
        ]

    def table(self, ref: TableRef, columns: Iterable[ColumnRef] = ()) -> str:
        """
        The rows of a table, of a family those of the members that were read, and the days of these
        columns.
        """
        rows, family = self._rows(ref), self._catalog.table_by_ref[ref].family
        found = ((column.path, self._span(column)) for column in columns)
        spans = (f"{path} {days}" for path, days in found if days)
        read = f" ({family.coverage})" if family and family.coverage else ""
        return "" if rows is None else "; ".join((f"{rows:,} rows{read}", *spans))

    def column(self, ref: ColumnRef) -> str:
        """The share of nulls of a column, where there are many, and its days."""
        share = self._nulls(ref)
        nulls = f"{share:.0%} nulls" if share >= _MANY_NULLS else ""
        return ", ".join(filter(None, (nulls, self._span(ref))))

    def is_doubtful(self, ref: Ref) -> bool:
        """
        True of a table without rows, and of a column of nulls above all or of other days than those
        asked for.
        """
        if isinstance(ref, TableRef):
            return self._rows(ref) == 0
        return self._nulls(ref) >= _MOSTLY_NULLS or self._reaches([ref]) is False

    def speaks_against(self, twin: Twin) -> bool:
        """
        True where the twin has rows, or days that are asked for, and the chosen table has none.
        """
        own = self._reaches(ColumnRef(twin.of, column.path) for column in twin.columns)
        has_rows = bool(self._rows(twin.table))
        return has_rows and (
            self._rows(twin.of) == 0 or (own is False and self._reaches(twin.columns) is True)
        )

    def _reaches(self, columns: Iterable[ColumnRef]) -> bool | None:
        """
        True if days of any of these columns lie in a period of the question; None where none has
        days.
        """
        days = list(filter(None, map(self._days, columns)))
        if not days or not self._periods:
            return None
        return any(period.meets(*span) for span in days for period in self._periods)

    def _span(self, ref: ColumnRef) -> str:
        days = self._days(ref)
        if days is None:
            return ""
        other = ", not as asked for" if self._reaches([ref]) is False else ""
        return f"{days[0]} to {days[1]}{other}"

    def _nulls(self, ref: ColumnRef) -> float:
        column = column_profile(self._profile_of(ref.table), ref.path)
        return (column.l2.null_ratio if column else None) or 0.0

    def _days(self, ref: ColumnRef) -> tuple[str, str] | None:
        column = column_profile(self._profile_of(ref.table), ref.path)
        figures = column.l3 if column and column.is_shown else None
        if figures is None or not figures.first_day or not figures.last_day:
            return None
        return figures.first_day, figures.last_day

    def _rows(self, ref: TableRef) -> int | None:
        profile = self._profile_of(ref)
        return profile.statistics.row_count if profile and profile.statistics else None


def twin_line(twin: Twin, measured: Measured) -> str:
    """A twin with what was measured of it and of the table that was chosen."""
    own = [ColumnRef(twin.of, column.path) for column in twin.columns]
    chosen, copy = (name_of(str(ref)) for ref in (twin.of, twin.table))
    columns = ", ".join(name_of(column.path) for column in twin.columns)
    measures = measured.table(twin.of, own), measured.table(twin.table, twin.columns)
    return f"{chosen} ({measures[0]}) is nearly the same as {copy} ({measures[1]}), which has {columns} as well"
