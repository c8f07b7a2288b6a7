"""Phrases of an answer: enter its parts, leave short phrases that its forms and the trace share."""

from collections.abc import Iterable, Sequence

from linker.link.answer import Evidence, Join, LinkedColumn, LinkedTable, Status, Unanswerable
from linker.text.lists import first_of
from linker.text.numbers import counted, number, percent
from linker.text.safe import one_line, spelled
from linker.types import Table

# A shape and a word: a status must be seen without colours, too.
MARKS: dict[Status, str] = {"required": "●", "kept": "◐", "pending": "○"}
_MOST_SIBLINGS = 20
_MOST_NAMED = 8
_NEARLY_ALL = 0.975
# What was looked at tells more than what is there by its kind.
_STRENGTH = ("value", "probe", "statistic", "usage", "key", "profile")


def size_of(table: Table) -> str:
    """Kind and size of a table, in a few words: family, rows."""
    parts = ["" if table.kind == "table" else table.kind]
    if table.family:
        parts = [one_line(str(table.family))]
    if table.row_count_estimate is not None:
        parts.append(counted(table.row_count_estimate, "row"))
    return " · ".join(filter(None, parts))


def why(linked: LinkedColumn | LinkedTable) -> str:
    """The one reason that a person reads first, or else what the column is."""
    found = [item for item in linked.evidence if item.kind in _STRENGTH]
    found.sort(key=lambda item: _STRENGTH.index(item.kind))
    meant = linked.column if isinstance(linked, LinkedColumn) else linked.table
    texts = (linked.reason, *(item.text for item in found), meant.description)
    return one_line(next(filter(None, texts), ""))


def completeness(chance: float) -> str:
    """The chance that nothing is missing, as people say it."""
    tenths = max(1, min(9, round(10 * chance)))
    often = "nearly all" if chance >= _NEARLY_ALL else f"about {tenths} of 10"
    return f"all that is needed is here in {often} such questions"


def named_shortly(tables: Sequence[LinkedTable]) -> str:
    """The first names of tables, and how many more there are."""
    return first_of((spelled(linked.table.ref) for linked in tables), _MOST_NAMED)


def evidence_lines(evidence: Iterable[Evidence]) -> list[str]:
    """All evidence, a line each."""
    return [f"{item.kind}: {one_line(item.text)}" for item in evidence]


def measures(join: Join) -> str:
    """
    Measures of a join: its cardinality, how many values the key holds, and how many rows share one.
    """
    if join.overlap is None and join.fan_out is None:
        return "not measured"
    parts = [join.cardinality] if join.cardinality else []
    if join.overlap is not None:
        parts.append(f"{percent(join.overlap, digits=0)} of the values are found")
    if join.fan_out is not None:
        parts.append(f"{number(join.fan_out)} {'row' if join.fan_out == 1 else 'rows'} a key")
    return ", ".join(parts)


def no_answer(lack: Unanswerable) -> str:
    """The lack of the warehouse and what comes nearest, in a line."""
    nearest = ", ".join(spelled(ref) for ref in lack.nearest) or "nothing"
    return f"{one_line(lack.missing)}; nearest: {nearest}"


def standing(linked: LinkedTable) -> str:
    """
    Such as `same columns as orders_north, orders_south`; a name says its schema where that is
    another.
    """
    if not linked.stands_for:
        return ""
    own = linked.table.ref.schema
    names = (spelled(ref.name if ref.schema == own else ref) for ref in linked.stands_for)
    return f"same columns as {first_of(names, _MOST_SIBLINGS)}"
