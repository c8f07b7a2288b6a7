"""
Texts that a judge gets to see: enters a question with its ranking, leave texts of a limited size.

Nothing grows with the catalogue: the likeliest come first, siblings are folded into one line, and
whatever does not fit is counted; `list_tables` and `list_columns` reach it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from linker.catalog.facts import ColumnFacts
from linker.link.question import LinkedQuestion
from linker.names.repair import CUT
from linker.text.lists import shortly
from linker.text.safe import spelled
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import Column, ColumnRef, Record, Ref, Table, TableRef

# Tokens by the estimate, each for the changing part of one prompt.
LISTED, NAMES = 600, 1_000
# Characters.
PASSAGES = 1_500
_COLUMNS_SHOWN, SIBLINGS_SHOWN = 8, 6
# Of a wider table the likeliest columns are named.
MOST_NAMED = 1_000
_LONGEST_NAME, _LONGEST_DESCRIPTION, _SHORT_DESCRIPTION, _LONGEST_FAMILY = 160, 90, 45, 200
_USUAL = re.compile(
    r"(?P<same>date|boolean|json|list) (?P=same)|(timestamp|time) (date)?time"
    r"|(identifier|foreign_key|measure|money|geo|year) (\w*int|num|dec|double|float|real)"
    r"|(identifier|foreign_key|category|constant|code|text|email|phone|url) (\w*char|text|str)"
)


class View(Record, frozen=True):
    """A text, what it shows, and how much it leaves out."""

    text: str
    shown: tuple[Ref, ...]
    left_out: int

    @property
    def columns(self) -> tuple[ColumnRef, ...]:
        """The columns that it shows."""
        return tuple(ref for ref in self.shown if isinstance(ref, ColumnRef))


def names_view(question: LinkedQuestion, tokens: int = NAMES) -> View:
    """Tables by name alone, the likeliest first; of siblings one stands for all."""
    lines, shown, seen, left = list[str](), list[TableRef](), set[TableRef](), float(tokens)
    for table in ranked_tables(question):
        if table.ref in seen:
            continue
        others = [ref for ref in question.read.siblings.get(table.ref, ()) if ref not in seen]
        siblings = f" (and {len(others)} with the same columns)" if others else ""
        own = table.description if left > tokens / 2 else None
        comment = f" - {cut(own, _SHORT_DESCRIPTION).rstrip('.')}" if own else ""
        line = f"{name_of(str(table.ref))}{siblings}{comment}"
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
        shown.append(table.ref)
        seen |= {table.ref, *others}
    return View("\n".join(lines), tuple(shown), len(question.catalog.tables) - len(seen))


def ranked_columns(question: LinkedQuestion, tables: Sequence[TableRef]) -> list[ColumnRef]:
    """All columns of tables, the likeliest first; what ranking did not look at comes last."""
    lexicon, wanted = question.ranked.known.lexicon, set(tables)
    odds = {
        lexicon.refs[place]: float(question.ranked.columns[place])
        for number, table in enumerate(lexicon.tables)
        if table.ref in wanted
        for place in range(int(lexicon.starts[number]), int(lexicon.starts[number + 1]))
    }
    refs = [
        ColumnRef(ref, column.path)
        for ref in tables
        for column in question.catalog.table_by_ref[ref].columns
    ]
    return sorted(refs, key=lambda ref: -odds.get(ref, -100.0))


def other_columns(question: LinkedQuestion, table: TableRef, shown: Collection[ColumnRef]) -> View:
    """All columns of a table but these in a line of names, with the keys that they lead to."""
    columns = question.catalog.table_by_ref[table].columns
    # The paths inside a column tell that it is there.
    others = [
        ref
        for each in columns
        if (ref := ColumnRef(table, each.path)) not in shown and not each.is_nested
    ]
    named = set(others)
    if len(named) > MOST_NAMED:
        named = set([ref for ref in ranked_columns(question, [table]) if ref in named][:MOST_NAMED])
    pointing = (
        (ref.path, *map(str, question.facts_of(ref).points_to[:1]))
        for ref in others
        if ref in named
    )
    names = [" -> ".join(map(name_of, path)) for path in pointing]
    more = len(others) - len(names)
    rest = f" and {more} more: list_columns finds them by words" if more else ""
    inside = (ColumnRef(table, each.path) for each in columns if each.is_nested)
    return View(
        f" also: {shortly(names)}{rest}" if names else "",
        (*filter(named.__contains__, others), *inside),
        more,
    )


def bound_view(question: LinkedQuestion) -> str:
    """Values, periods and terms of the glossary that the question names, as they were found."""
    mentions = question.mentions
    periods = [period for period in mentions.periods if period.kind != "recurring"]
    # A number that may be a value hardly ever is, least of all one that tells a time.
    telling = [
        binding for binding in mentions.bindings if binding.is_sure or not binding.value.isdigit()
    ]
    lines = [cut(str(binding), 200) for binding in telling[:8]]
    lines += [f"{period.words!r} is {period}" for period in periods[:4]]
    lines += [f"glossary: {cut(str(meaning.term), 300)}" for meaning in question.read.meanings]
    lines += _passages(question.read.passages)
    # Where no rows were read, no value can be found.
    if mentions.unbound and question.ranked.known.is_profiled:
        lines.append(
            f"named, and not among the values that the index holds: {listed(mentions.unbound[:8])}"
        )
    return "\n".join(lines) or "nothing"


def _passages(passages: Sequence[str], characters: int = PASSAGES) -> Iterator[str]:
    """The nearest passages of documents, as far as they fit."""
    for passage in passages:
        characters -= len(passage)
        if characters > 0:
            yield f"from a document: {readable(passage)}"


def fitting(lines: Iterable[str], tokens: float) -> Iterator[str]:
    """The first of these lines, as many as fit."""
    for line in lines:
        tokens -= estimate_tokens(line)
        if tokens < 0:
            return
        yield line


def listed_tables(question: LinkedQuestion, tables: Sequence[Table], total: int) -> str:
    """Tables that a tool found, within its budget."""
    lines = list(fitting((table_line(question, table, ()) for table in tables), LISTED))
    more = total - len(lines)
    return "\n".join([*lines, f"{more} more; say other words" if more else "no more"])


def structure_line(column: Column, facts: ColumnFacts) -> str:
    """Name, type and kind of a column (L1), with the key that it leads to."""
    kind = facts.category or ""
    # A type is told where it is not the usual one of its kind; SQLite knows columns without a type.
    is_usual = _USUAL.match(f"{kind} {column.short_type}")
    parts = [
        name_of(column.path),
        *filter(None, ("" if is_usual else cut(column.short_type, 40), kind)),
    ]
    if facts.is_primary_key:
        parts.append("primary key")
    if facts.points_to:
        parts.append(f"-> {name_of(str(facts.points_to[0]))}")
    return " · ".join(parts)


def name_of(name: str) -> str:
    """
    A name as it may be given back; one that is too long to be told is cut, and then found by its
    beginning.
    """
    return cut(spelled(name), _LONGEST_NAME)


def ranked_tables(question: LinkedQuestion) -> Iterator[Table]:
    """The tables that ranking looked at, the likeliest first."""
    order = np.argsort(-question.ranked.tables, kind="stable")
    return (question.ranked.known.lexicon.tables[int(place)] for place in order)


def table_line(question: LinkedQuestion, table: Table, siblings: Sequence[TableRef]) -> str:
    """A table in a line, with the names of its likeliest columns."""
    best = [column.path for column in ranked_columns(question, [table.ref])[:_COLUMNS_SHOWN]]
    more = len(table.columns) - len(best)
    names = ", ".join(map(name_of, best)) + (f" and {more} more" if more else "")
    return f"{heading(table, siblings)}: {names}"


def heading(table: Table, siblings: Sequence[TableRef], most: int = SIBLINGS_SHOWN) -> str:
    """A table in a line, with the siblings that it stands for."""
    parts = [
        name_of(str(table.ref)),
        *([f"({cut(table.schemas, _LONGEST_FAMILY)})"] if table.schemas else []),
    ]
    if table.family:
        parts.append(f"({cut(str(table.family), _LONGEST_FAMILY)})")
    if siblings:
        parts.append(f"(same columns: {listed(map(str, siblings), most)})")
    if table.description:
        parts.append(f"- {cut(table.description, _LONGEST_DESCRIPTION).rstrip('.')}")
    return " ".join(parts)


def cut(text: str, length: int) -> str:
    """A text in one line; one that is longer is cut, and shows it."""
    line = readable(text)
    return line if len(line) <= length else f"{line[: length - 1]}{CUT}"


def listed(names: Iterable[str], most: int = 12) -> str:
    """The first of these names, and how many more there are."""
    shown = [name_of(name) for name in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")
