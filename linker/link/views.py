"""
Texts that a judge gets to see: enters a question with its ranking, leave texts of a limited size.

Nothing grows with the catalogue: the likeliest come first, siblings are folded into one line, and whatever does not fit
is counted; `list_tables` and `list_columns` reach it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linker.catalog.facts import ColumnFacts
from linker.link.hypotheses import Hypothesis
from linker.link.question import LinkedQuestion
from linker.names.repair import CUT
from linker.text.safe import spelled
from linker.text.tokens import estimate_tokens
from linker.text.words import readable
from linker.types import Column, ColumnRef, Ref, Table, TableRef

# Tokens by the estimate, each for the changing part of one prompt.
TABLES_FOR_HYPOTHESES, TABLES, COLUMNS, LISTED, NAMES = 1_100, 1_000, 1_900, 600, 1_000
# Characters.
PASSAGES = 1_500
_SHARE_WITH_COLUMNS = 0.7
_COLUMNS_SHOWN, _SIBLINGS_SHOWN = 8, 6
_LONGEST_NAME, _LONGEST_DESCRIPTION = 160, 90
_LEAST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class View:
    """A text, what it shows, and how much it leaves out."""

    text: str
    shown: tuple[Ref, ...]
    left_out: int

    @property
    def columns(self) -> tuple[ColumnRef, ...]:
        """The columns that it shows."""
        return tuple(ref for ref in self.shown if isinstance(ref, ColumnRef))


def table_view(question: LinkedQuestion, tokens: int = TABLES) -> View:
    """Tables with their likeliest columns by name (L0), the likeliest first; then further tables by name alone."""
    ranked = ranked_tables(question)
    siblings = question.read.siblings
    lines, shown, seen = list[str](), list[TableRef](), set[TableRef]()
    left, with_columns = float(tokens), tokens * _SHARE_WITH_COLUMNS
    for table in ranked:
        if table.ref in seen:
            continue
        others = [ref for ref in siblings.get(table.ref, ()) if ref not in seen]
        line = _table_line(question, table, others, with_columns=tokens - left < with_columns)
        cost = estimate_tokens(line)
        if cost > left:
            break
        left -= cost
        lines.append(line)
        shown += [table.ref, *others[:_SIBLINGS_SHOWN]]
        seen |= {table.ref, *others}
    return View("\n".join(lines), tuple(shown), len(question.catalog.tables) - len(seen))


def names_view(question: LinkedQuestion, tokens: int = NAMES) -> View:
    """Tables by name alone, the likeliest first; of siblings one stands for all."""
    lines, shown, seen, left = list[str](), list[TableRef](), set[TableRef](), float(tokens)
    for table in ranked_tables(question):
        if table.ref in seen:
            continue
        others = [ref for ref in question.read.siblings.get(table.ref, ()) if ref not in seen]
        siblings = f" (and {len(others)} with the same columns)" if others else ""
        line = f"{name_of(str(table.ref))}{siblings}"
        left -= estimate_tokens(line) + 1
        if left < 0:
            break
        lines.append(line)
        shown.append(table.ref)
        seen |= {table.ref, *others}
    return View("\n".join(lines), tuple(shown), len(question.catalog.tables) - len(seen))


def column_view(question: LinkedQuestion, tables: Sequence[TableRef], tokens: int = COLUMNS) -> View:
    """The columns of tables with type and kind (L1); each table shows some, the rest goes to the likeliest."""
    order = {ref: place for place, ref in enumerate(ranked_columns(question, tables))}
    chosen: dict[TableRef, list[ColumnRef]] = {ref: [] for ref in tables}
    left = tokens - sum(estimate_tokens(heading(question.catalog.table_by_ref[ref], ())) + 2 for ref in tables)
    of_table: dict[TableRef, list[ColumnRef]] = defaultdict(list)
    for column in order:
        of_table[column.table].append(column)
    first = [column for ref in tables for column in of_table[ref][:_LEAST_COLUMNS]]
    for column in dict.fromkeys((*first, *order)):
        cost = estimate_tokens(_column_line(question, column))
        if cost <= left:
            left -= cost
            chosen[column.table].append(column)
    lines = []
    for ref, columns in chosen.items():
        table = question.catalog.table_by_ref[ref]
        places = {column.path: place for place, column in enumerate(table.columns)}
        lines.append(heading(table, ()))
        lines += [_column_line(question, column) for column in sorted(columns, key=lambda column: places[column.path])]
    shown = tuple(column for columns in chosen.values() for column in columns)
    return View("\n".join(lines), shown, len(order) - len(shown))


def ranked_columns(question: LinkedQuestion, tables: Sequence[TableRef]) -> list[ColumnRef]:
    """All columns of tables, the likeliest first; what ranking did not look at comes last."""
    lexicon = question.ranked.known.lexicon
    odds = {lexicon.refs[place]: float(question.ranked.columns[place]) for place in _places(question, tables)}
    refs = [ColumnRef(ref, column.path) for ref in tables for column in question.catalog.table_by_ref[ref].columns]
    return sorted(refs, key=lambda ref: -odds.get(ref, -100.0))


def ways_view(hypotheses: Iterable[Hypothesis]) -> str:
    """The hypotheses, a line or two each."""
    return "\n".join(way_view(hypothesis) for hypothesis in hypotheses)


def way_view(hypothesis: Hypothesis) -> str:
    """One hypothesis with its hints."""
    parts = [f"{hypothesis.number}. {_cut(hypothesis.summary, 300)}"]
    parts += [f"   differs by {_cut(str(divergence), 160)}" for divergence in hypothesis.diverges[:3]]
    if hypothesis.tables:
        parts.append(f"   tables: {_listed(map(str, hypothesis.tables))}")
    if hypothesis.joins:
        parts.append(f"   joins: {_listed(f'{column} = {other}' for column, other in hypothesis.joins)}")
    if hypothesis.columns:
        parts.append(f"   columns: {_listed(map(str, hypothesis.columns))}")
    return "\n".join(parts)


def bound_view(question: LinkedQuestion) -> str:
    """Values, periods and terms of the glossary that the question names, as they were found."""
    mentions = question.mentions
    lines = [_cut(str(binding), 200) for binding in mentions.bindings[:8]]
    lines += [f"{period.words!r} is {period}" for period in mentions.periods[:4]]
    lines += [f"glossary: {_cut(str(meaning.term), 300)}" for meaning in question.read.meanings]
    lines += _passages(question.read.passages)
    if mentions.unbound:
        lines.append(f"named, and found in no column: {_listed(mentions.unbound[:8])}")
    return "\n".join(lines) or "nothing"


def _passages(passages: Sequence[str], characters: int = PASSAGES) -> Iterator[str]:
    """The nearest passages of documents, as far as they fit."""
    for passage in passages:
        characters -= len(passage)
        if characters > 0:
            yield f"from a document: {readable(passage)}"


def listed_tables(question: LinkedQuestion, tables: Sequence[Table], total: int) -> str:
    """Tables that a tool found, within its budget."""
    lines, left = list[str](), float(LISTED)
    for table in tables:
        line = _table_line(question, table, (), with_columns=True)
        left -= estimate_tokens(line)
        if left < 0:
            break
        lines.append(line)
    more = total - len(lines)
    return "\n".join([*lines, f"{more} more; say other words" if more else "no more"])


def structure_line(column: Column, facts: ColumnFacts) -> str:
    """Name, type and kind of a column (L1), with the key that it leads to."""
    parts = [name_of(column.path)]
    # SQLite knows columns without a type.
    if column.short_type:
        parts.append(_cut(column.short_type, 40))
    if facts.category:
        parts.append(facts.category)
    if facts.is_primary_key:
        parts.append("primary key")
    if facts.points_to:
        parts.append(f"-> {name_of(str(facts.points_to[0]))}")
    return " · ".join(parts)


def name_of(name: str) -> str:
    """A name as it may be given back; one that is too long to be told is cut, and then found by its beginning."""
    return _cut(spelled(name), _LONGEST_NAME)


def ranked_tables(question: LinkedQuestion) -> Iterator[Table]:
    """The tables that ranking looked at, the likeliest first."""
    order = np.argsort(-question.ranked.tables, kind="stable")
    return (question.ranked.known.lexicon.tables[int(place)] for place in order)


def _table_line(question: LinkedQuestion, table: Table, siblings: Sequence[TableRef], *, with_columns: bool) -> str:
    if not with_columns:
        return heading(table, siblings)
    best = [column.path for column in ranked_columns(question, [table.ref])[:_COLUMNS_SHOWN]]
    more = len(table.columns) - len(best)
    names = ", ".join(map(name_of, best)) + (f" and {more} more" if more else "")
    return f"{heading(table, siblings)}: {names}"


def heading(table: Table, siblings: Sequence[TableRef]) -> str:
    """A table in a line, with the siblings that it stands for."""
    parts = [name_of(str(table.ref))]
    if table.family:
        parts.append(f"({_cut(str(table.family), 80)})")
    if siblings:
        more = f" and {len(siblings) - _SIBLINGS_SHOWN} more" if len(siblings) > _SIBLINGS_SHOWN else ""
        parts.append(f"(same columns: {', '.join(name_of(str(ref)) for ref in siblings[:_SIBLINGS_SHOWN])}{more})")
    if table.description:
        parts.append(f"- {_cut(table.description, _LONGEST_DESCRIPTION).rstrip('.')}")
    return " ".join(parts)


def _column_line(question: LinkedQuestion, ref: ColumnRef) -> str:
    return (
        f"  {structure_line(question.catalog.table_by_ref[ref.table].column_by_path[ref.path], question.facts.of(ref))}"
    )


def _places(question: LinkedQuestion, tables: Sequence[TableRef]) -> Iterator[int]:
    lexicon = question.ranked.known.lexicon
    wanted = set(tables)
    for number, table in enumerate(lexicon.tables):
        if table.ref in wanted:
            yield from range(int(lexicon.starts[number]), int(lexicon.starts[number + 1]))


def _cut(text: str, length: int) -> str:
    line = readable(text)
    return line if len(line) <= length else f"{line[: length - 1]}{CUT}"


def _listed(names: Iterable[str], most: int = 12) -> str:
    shown = [name_of(name) for name in names]
    return ", ".join(shown[:most]) + (f" and {len(shown) - most} more" if len(shown) > most else "")
