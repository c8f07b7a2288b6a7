"""
Texts that a judge gets to see: enters a question with its ranking, leave texts of a limited size.

Nothing grows with the catalogue: the likeliest come first, siblings are folded into one line, and
whatever does not fit is counted; `list_tables` and `list_columns` reach it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from linker.catalog.description import cut, heading, listed, name_of
from linker.link.question import LinkedQuestion
from linker.text.lists import shortly
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import ColumnRef, Record, Ref, Table, TableRef

# Tokens by the estimate, each for the changing part of one prompt.
LISTED = 600
NAMES = 1_000
# Characters.
PASSAGES = 1_500
_COLUMNS_SHOWN = 8
# Of a wider table the likeliest columns are named.
MOST_NAMED = 1_000
_SHORT_DESCRIPTION = 45


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
    whole = [ColumnRef(table, each.path) for each in columns if not each.is_nested]
    others = [ref for ref in whole if ref not in shown]
    named = set(others)
    if len(named) > MOST_NAMED:
        likeliest = (ref for ref in ranked_columns(question, [table]) if ref in named)
        named = set(islice(likeliest, MOST_NAMED))
    names = []
    for ref in others:
        if ref in named:
            key = question.facts_of(ref).points_to[:1]
            names.append(" -> ".join(map(name_of, (ref.path, *map(str, key)))))
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
