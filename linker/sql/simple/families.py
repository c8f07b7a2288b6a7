"""
Tables that come in parts: enters the tree of a statement, leaves it with the parts that it needs in the place of each.

A part that is named by a day, a month, a quarter or a year is read where that lies in the periods that are asked for.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sqlglot import exp

from linker.mentions import Period
from linker.sql.simple.errors import CannotWriteError
from linker.types import Family, TableRef

# More parts than these are left to the guard, which knows what the family is called.
_MOST_PARTS = 40
_TIMED = ("day", "month", "quarter", "year")
_KEY = re.compile(
    r"(?P<year>(?:18|19|20)\d\d)(?:_?q(?P<quarter>[1-4])|_?(?P<month>\d\d)(?:_?(?P<day>\d\d))?)?$", re.IGNORECASE
)
# Whatever else a name is made of, it has to be quoted.
PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
# What a table of a statement is, in the notes that its node carries.
FAMILY = "family of"


def with_parts(tree: exp.Select, families: Mapping[TableRef, Family | None], periods: Sequence[Period]) -> exp.Select:
    """The statement with every family spelt out."""
    made = tree.copy()
    for table in list(made.find_all(exp.Table)):
        ref = table.meta.get(FAMILY)
        family = families.get(ref) if ref else None
        parts = parts_of(family, periods) if family else ()
        if family and not parts:
            raise CannotWriteError(f"no table of {ref} is of the time that is asked for")
        if not parts or len(parts) > _MOST_PARTS:
            continue
        if len(parts) == 1:
            table.set("this", _identifier(parts[0]))
            continue
        columns = _columns_of(made, table.alias)
        read = [
            exp.Select(expressions=[column.copy() for column in columns]).from_(
                exp.Table(this=_identifier(part), db=table.args["db"].copy())
            )
            for part in parts
        ]
        united = exp.union(*read, distinct=False)
        table.replace(exp.Subquery(this=united, alias=table.args["alias"].copy()))
    return made


def parts_of(family: Family, periods: Sequence[Period]) -> tuple[str, ...]:
    """The parts that hold rows of any of the periods; all, where their names say no time."""
    if family.key_kind not in _TIMED or not periods:
        return family.members
    return tuple(one for one in family.members if _overlaps(one, periods))


def _identifier(part: str) -> exp.Identifier:
    return exp.to_identifier(part, quoted=not PLAIN.fullmatch(part))


def _columns_of(tree: exp.Select, alias: str) -> list[exp.Column]:
    """The columns that a statement reads of one of its tables."""
    found: dict[str, exp.Column] = {}
    for column in tree.find_all(exp.Column):
        if column.table == alias:
            found.setdefault(column.name, exp.Column(this=column.this.copy()))
    return [found[name] for name in sorted(found)] or [exp.Column(this=exp.Star())]


def _overlaps(part: str, periods: Iterable[Period]) -> bool:
    span = _span(part)
    return span is None or any(one.first <= span[1] and span[0] <= one.last for one in periods)


def _span(part: str) -> tuple[date, date] | None:
    """The first and the last day of a part, as its name says."""
    found = _KEY.search(part)
    if not found:
        return None
    year = int(found["year"])
    first, last = 1, 12
    if found["quarter"]:
        first, last = 3 * int(found["quarter"]) - 2, 3 * int(found["quarter"])
    elif found["month"]:
        first = last = int(found["month"])
    try:
        if found["day"]:
            day = date(year, first, int(found["day"]))
            return day, day
        return date(year, first, 1), date(year, last, monthrange(year, last)[1])
    except ValueError:
        return None
