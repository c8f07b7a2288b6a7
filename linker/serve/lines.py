"""
Lines about tables and columns for a model, in few characters: the most important first, cut to so
many characters, with how to get the rest, and with the table that a copy was made from.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from pydantic import BaseModel, Field

from linker.catalog.description import CODED, ColumnDescription, heading, name_of
from linker.catalog.snapshot import ProfiledCatalog
from linker.environment import Environment
from linker.ranking.kin import kept
from linker.ranking.table_words import ROLES, roles_of
from linker.text.words import parts as parts_of
from linker.text.words import readable, word_list, words_of_name
from linker.types import ColumnRef, Record, Table, TableRef

# A copy has nearly no column that its table lacks: one that says when it was made, or by whom.
_LEAST_SHARE = 0.75
_LEAST_SHARED = 2

FIGURES = ("measure", "money")
_BY = (*CODED, "foreign_key", "date", "timestamp", "year")
_NO_TIMES = ("boolean", "code", "constant", "empty")
_SIBLINGS_NAMED = 3


def kept_beside(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """By archive, backup or older version the table in use."""
    tables = profiled.catalog.tables
    return {tables[each.place].ref: tables[each.original].ref for each in kept(tables)}


def keys_into(profiled: ProfiledCatalog) -> Counter[TableRef]:
    """How many keys point to each table, from other schemas or its own."""
    return Counter(pair.right for pair in profiled.facts.joins)


def originals(profiled: ProfiledCatalog) -> Mapping[TableRef, TableRef]:
    """
    By copy the table whose name and columns it has; that one lies elsewhere and has more columns or
    keys.
    """
    pointed = keys_into(profiled)
    by_words = defaultdict[tuple[str, ...], list[Table]](list)
    for table in profiled.catalog.tables:
        by_words[tuple(words_of_name(table.ref.name))].append(table)
    paths: dict[TableRef, set[str]] = {}
    for table in profiled.catalog.tables:
        paths[table.ref] = {column.path for column in table.columns if not column.depth}
    found = dict[TableRef, TableRef]()
    for table in profiled.catalog.tables:
        words, own = words_of_name(table.ref.name), paths[table.ref]
        spans = {
            tuple(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, len(words) + 1)
        }
        likely = [
            other
            for span in spans
            for other in by_words.get(span, ())
            if other.ref.schema != table.ref.schema
            and len(own & paths[other.ref]) >= max(_LEAST_SHARED, _LEAST_SHARE * len(own))
            and (pointed[other.ref], len(paths[other.ref])) > (pointed[table.ref], len(own))
        ]
        if likely:
            found[table.ref] = max(
                likely,
                key=lambda other: (
                    len(own & paths[other.ref]),
                    pointed[other.ref],
                    len(paths[other.ref]),
                ),
            ).ref
    # A copy of a copy is one of the first; none leads back, as each original is greater.
    while again := {copy: found[original] for copy, original in found.items() if original in found}:
        found |= again
    return found


class Lookup(Record, frozen=True):
    """
    Lines of an answer; `further` says how to see what does not fit.

    What can be said in short has `shorter`: lines with the details of so many things each, of -1
    with the least, and what of the others is left out.
    """

    lines: tuple[str, ...]
    further: str = "ask for less at once, or raise `characters`"
    shorter: Callable[[int], tuple[list[str], str]] | None = None
    things: int = 0


class Answer(BaseModel):
    """A text, and the number of lines that did not fit."""

    text: str = Field(description="The answer, a thing a line.")
    left_out: int = Field(
        description="Lines that did not fit; the last line of the text says how to get them."
    )


def fitted(lookup: Lookup, characters: int) -> Answer:
    """
    The first lines that fit; where not all do, the shorter ones with most details. The last says
    what is missing.
    """
    lines, remark = list(lookup.lines), ""
    if lookup.shorter and _size(lines) > characters:
        left = characters - len(lookup.further)
        shorter = map(lookup.shorter, range(lookup.things - 1, -1, -1))
        lines, remark = next(
            (short for short in shorter if _size(short[0]) <= left), lookup.shorter(-1)
        )
    left, shown = characters, list[str]()
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            remark = f"{len(lookup.lines) - len(shown)} more lines"
            break
        shown.append(line)
    left_out = len(lookup.lines) - len(shown)
    return Answer(
        text="\n".join((*shown, *([f"… {remark}: {lookup.further}"] if remark else []))),
        left_out=left_out,
    )


def _size(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def headed(text: str, count: int, lines: list[str]) -> list[str]:
    """The lines below what was asked, where several things were."""
    return [f"== {readable(text)}", *lines] if count > 1 else lines


def table_line(environment: Environment, table: Table, siblings: Sequence[TableRef] = ()) -> str:
    """
    A table in a line; of one without a comment what its kind, its name or its columns say that it
    is.
    """
    line = heading(table, siblings, _SIBLINGS_NAMED)
    if table.description:
        return line
    beside = environment.derive(kept_beside).get(table.ref)
    meanings = [f"kept beside {name_of(str(beside))}"] if beside else []
    meanings += ["view"] if table.kind == "view" else []
    meanings += _figures(environment, table)
    return f"{line} - {'; '.join(meanings)}" if meanings else line


def _figures(environment: Environment, table: Table) -> list[str]:
    """The columns by which a table has figures, where it has no key and one of them is a time."""
    by, figures, has_times = list[str](), list[str](), False
    for column in table.columns:
        described = environment.indexed.describe(ColumnRef(table.ref, column.path))
        is_time, kind = tells_time(described), described.facts.category
        if is_time or kind in _BY:
            by.append(described.name)
        elif kind in FIGURES:
            figures.append(described.name)
        if described.facts.is_primary_key or not (is_time or kind in (*_BY, *FIGURES)):
            return []
        has_times = has_times or is_time
    return [f"figures by {', '.join(by)}"] if has_times and len(figures) > 1 else []


def tells_time(described: ColumnDescription) -> bool:
    """
    True of a column that says when, by its days, its type or its name; one day for all rows says
    nothing.
    """
    column, facts = described.column, described.facts
    if facts.days:
        return facts.days[0] < facts.days[1]
    words = parts_of(column.path)
    is_number = not word_list("naming_times_as_numbers").isdisjoint(words)
    is_named = is_number or roles_of(column, words, (), facts)[ROLES.index("time")]
    return is_named and "per" not in words and facts.category not in _NO_TIMES
