"""
A schema for a prompt: enters a question with its ranking, leaves tables with columns, types, keys,
comments and values.

A schema that fits is shown whole, the likeliest tables first; of a larger one the likeliest columns
of the likeliest tables, and what is left out is counted. Values are distinct ones that may be
shown. Copies share one heading.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from linker.catalog.description import heading
from linker.link.mschema import LEAST_TOKENS_OF_COLUMN
from linker.link.question import LinkedQuestion
from linker.link.views import View, ranked_columns, ranked_tables
from linker.ranking.allocation import allocate
from linker.text.tokens import estimate_tokens
from linker.types import ColumnRef, TableRef

_Lines = dict[TableRef, dict[TableRef | ColumnRef, str]]


def schema_view(
    question: LinkedQuestion, tokens: int, tables: Sequence[TableRef] | None = None
) -> View:
    """The schema, or some tables of it, within so many tokens."""
    whole = list(_whole(question, tables, tokens))
    view = columns_view(question, whole or likeliest(question, tables, tokens), tokens)
    if len(view.columns) < len(whole):
        known = set(whole)
        some = [ref for ref in likeliest(question, tables, tokens) if ref in known]
        view = columns_view(question, some, tokens)
    if tables is None:
        return replace(
            view, left_out=question.catalog.column_count - stood_for(question, view.columns)
        )
    count = sum(len(question.catalog.table_by_ref[ref].columns) for ref in tables)
    return replace(view, left_out=count - len(view.columns))


def columns_view(question: LinkedQuestion, columns: Sequence[ColumnRef], tokens: int) -> View:
    """These columns under their tables, the first of them as far as they fit."""
    lines = _written(question, columns)
    chosen = tuple(_within(columns, lines, tokens))
    shown = {*chosen, *(ref.table for ref in chosen)}
    kept = [line for of in lines.values() for ref, line in of.items() if ref in shown]
    return View("\n".join(kept), chosen, len(columns) - len(chosen))


def stood_for(question: LinkedQuestion, columns: Sequence[ColumnRef]) -> int:
    """How many columns these are with those of siblings."""
    return sum(1 + len(question.read.siblings.get(ref.table, ())) for ref in columns)


def _whole(
    question: LinkedQuestion, tables: Sequence[TableRef] | None, tokens: int
) -> Iterator[ColumnRef]:
    """All columns, the likeliest tables first, where they may fit; nothing where they cannot."""
    catalog = question.catalog
    # A larger one is not gone through: most of it would be left out.
    if tables is None and catalog.column_count * LEAST_TOKENS_OF_COLUMN <= tokens:
        tables = list(_folded(question))
    for ref in tables or ():
        yield from (ColumnRef(ref, column.path) for column in catalog.table_by_ref[ref].columns)


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
    for ref in dict.fromkeys(ref.table for ref in wanted):
        table = question.catalog.table_by_ref[ref]
        lines[ref] = {ref: heading(table, question.read.siblings.get(ref, ()))}
        for column in table.columns:
            place = ColumnRef(ref, column.path)
            if place in wanted:
                lines[ref][place] = f"  {question.describe(place).line()}"
    return lines


def _within(order: Iterable[ColumnRef], lines: _Lines, tokens: int) -> Iterator[ColumnRef]:
    """The first columns that fit, each with its heading where it is the first of its table."""
    left, headed = float(tokens), set[TableRef]()
    for ref in order:
        of = lines.get(ref.table, {})
        if ref in of:
            left -= line_cost(of[ref]) + (0 if ref.table in headed else line_cost(of[ref.table]))
            if left < 0:
                return
            headed.add(ref.table)
            yield ref


def line_cost(line: str) -> int:
    """The tokens of a line with the break at its end: of short lines that is a fifth."""
    return estimate_tokens(f"{line}\n")
