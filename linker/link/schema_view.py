"""
A schema for a prompt: enters a question with its ranking, leaves tables with columns, types, keys,
comments and values.

A schema that fits is shown whole, the likeliest tables first; of a larger one the likeliest columns
of the likeliest tables, and what is left out is counted. Values are distinct ones that may be
shown. Copies share one heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from linker.catalog.facts import ColumnFacts
from linker.link.mschema import LEAST_TOKENS_OF_COLUMN
from linker.link.question import LinkedQuestion
from linker.link.views import View, cut, heading, ranked_columns, ranked_tables, structure_line
from linker.ranking.allocation import allocate
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import ColumnRef, TableRef

_VALUES_SHOWN, _LONGEST_VALUE, _LONGEST_DESCRIPTION, _LONGEST_VALUES = 6, 30, 160, 60
# One number, key or day shows what all look like.
_ALIKE = frozenset(
    ("identifier", "foreign_key", "measure", "money", "date", "timestamp", "time", "geo")
)
_FREE = frozenset(("text", "email", "url", "phone"))
_NO_VALUES = frozenset(("nan", "nat", "none"))
_NUMBER = re.compile(r"[-+.\d]+|nan", re.IGNORECASE)
# The number of a row, and amounts of which the first is as good as any.
_SAYS_NOTHING = re.compile(
    r"(identifier|foreign_key) \d+$|(measure|money) -?\d{1,3}(\.0+)?$|boolean "
)

_Lines = dict[TableRef, dict[TableRef | ColumnRef, str]]


def schema_view(
    question: LinkedQuestion, tokens: int, tables: Sequence[TableRef] | None = None
) -> View:
    """The schema, or some tables of it, within so many tokens."""
    whole = list(_whole(question, tables, tokens))
    columns = whole or likeliest(question, tables, tokens)
    lines = _written(question, columns)
    if sum(_cost(line) for of in lines.values() for line in of.values()) > tokens:
        columns = list(
            _within(likeliest(question, tables, tokens) if whole else columns, lines, tokens)
        )
    kept = {ref.table for ref in columns} | set[TableRef | ColumnRef](columns)
    in_order = (lines[table].items() for table in dict.fromkeys(ref.table for ref in columns))
    shown = [line for of in in_order for ref, line in of if ref in kept]
    if tables is None:
        stood_for = sum(1 + len(question.read.siblings.get(ref.table, ())) for ref in columns)
        left_out = question.catalog.column_count - stood_for
    else:
        left_out = sum(len(question.catalog.table_by_ref[ref].columns) for ref in tables) - len(
            columns
        )
    return View("\n".join(shown), tuple(columns), left_out)


def columns_view(question: LinkedQuestion, columns: Sequence[ColumnRef], tokens: int) -> View:
    """These columns under their tables, the first of them as far as they fit."""
    chosen = tuple(_within(columns, _written(question, columns), tokens))
    lines = [line for of in _written(question, chosen).values() for line in of.values()]
    return View("\n".join(lines), chosen, len(columns) - len(chosen))


def column_line(question: LinkedQuestion, ref: ColumnRef) -> str:
    """One column in a line: name, type, kind, keys, comment, values."""
    column = question.catalog.table_by_ref[ref.table].column_by_path[ref.path]
    return "; ".join((structure_line(column, question.facts_of(ref)), *meaning(question, ref)))


def meaning(question: LinkedQuestion, ref: ColumnRef) -> Iterator[str]:
    """
    All that is known of a column besides its structure: the members that have it, its comment, days
    or values.
    """
    table = question.catalog.table_by_ref[ref.table]
    column, facts = table.column_by_path[ref.path], question.facts_of(ref)
    if table.family and (holders := table.family.holders(column)):
        yield readable(holders)
    if column.description:
        yield cut(column.description, _LONGEST_DESCRIPTION).rstrip(".")
    if facts.days:
        yield " to ".join(dict.fromkeys(facts.days))
    elif values := tuple(_values(facts)):
        # A few rows of a file are no measure.
        is_all = bool(facts.category) and len(values) == facts.distinct_count
        begin = "such as" if not is_all else "one of" if len(values) > 1 else "always"
        yield f"{begin} {', '.join(values)}"


def _values(facts: ColumnFacts) -> Iterator[str]:
    """
    The first values, as many as fit into a short line; of what looks alike the first, where it says
    anything.
    """
    length, most = 0, 3 if facts.category in _FREE else _VALUES_SHOWN
    values = [value for value in facts.values if value.casefold() not in _NO_VALUES]
    for number, value in enumerate(values[:most]):
        shown = readable(value)[:_LONGEST_VALUE] or "''"
        length += len(shown)
        # Where nobody measured what kind of values these are, numbers are told from codes.
        is_alike = facts.category in _ALIKE if facts.category else bool(_NUMBER.fullmatch(shown))
        if (number and (length > _LONGEST_VALUES or is_alike)) or _SAYS_NOTHING.match(
            f"{facts.category} {shown}"
        ):
            return
        yield shown


def _whole(
    question: LinkedQuestion, tables: Sequence[TableRef] | None, tokens: int
) -> Iterator[ColumnRef]:
    """All columns, the likeliest tables first, where they may fit; nothing where they cannot."""
    if tables is None:
        # A larger one is not gone through: most of it would be left out.
        tables = (
            list(_folded(question))
            if question.catalog.column_count * LEAST_TOKENS_OF_COLUMN <= tokens
            else []
        )
    for ref in tables:
        yield from (
            ColumnRef(ref, column.path) for column in question.catalog.table_by_ref[ref].columns
        )


def _folded(question: LinkedQuestion) -> Iterator[TableRef]:
    """The tables, the likeliest first; of those with the same columns one."""
    seen = set[TableRef]()
    for table in (*ranked_tables(question), *question.catalog.tables):
        if table.ref not in seen:
            yield table.ref
            seen |= {table.ref, *question.read.siblings.get(table.ref, ())}


def likeliest(
    question: LinkedQuestion, tables: Sequence[TableRef] | None, tokens: int
) -> list[ColumnRef]:
    """The columns that may fit, in the order in which a budget would take them."""
    most = max(1, tokens // LEAST_TOKENS_OF_COLUMN)
    if tables is not None:
        return ranked_columns(question, tables)[:most]
    lexicon = question.ranked.known.lexicon
    return [lexicon.refs[place] for place in allocate(question.ranked, most).columns]


def _written(question: LinkedQuestion, columns: Iterable[ColumnRef]) -> _Lines:
    """The lines of each table: its heading, then its columns in the order of the table."""
    wanted = dict.fromkeys(columns)
    lines: _Lines = {}
    for table in dict.fromkeys(ref.table for ref in wanted):
        known = question.catalog.table_by_ref[table]
        refs = (ColumnRef(table, column.path) for column in known.columns)
        lines[table] = {table: heading(known, question.read.siblings.get(table, ()))}
        lines[table].update(
            {ref: f"  {column_line(question, ref)}" for ref in refs if ref in wanted}
        )
    return lines


def _within(order: Iterable[ColumnRef], lines: _Lines, tokens: int) -> Iterator[ColumnRef]:
    """The first columns that fit, each with its heading where it is the first of its table."""
    left, headed = float(tokens), set[TableRef]()
    for ref in order:
        of = lines.get(ref.table, {})
        if ref in of:
            left -= _cost(of[ref]) + (0 if ref.table in headed else _cost(of[ref.table]))
            if left < 0:
                return
            headed.add(ref.table)
            yield ref


def _cost(line: str) -> int:
    """With the break at its end: of short lines that is a fifth."""
    return estimate_tokens(f"{line}\n")
