"""
The panorama: enters a question with its ranking, leaves what a model sees at once, within so many tokens.

A schema that fits is shown whole. Of a larger one the likeliest columns are shown with what they mean; the tables that
they belong to, and those between them, are then told to the end: keys, names, times and amounts with their types, the
others by name. What does not fit is counted, and can be asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from linker.link.question import LinkedQuestion
from linker.link.schema_view import schema_view
from linker.link.views import View, heading, name_of, names_view, ranked_columns, structure_line
from linker.ranking.connecting import connect
from linker.ranking.roles import ROLES
from linker.text.tokens import estimate_tokens
from linker.types import ColumnRef, TableRef

# Shares of the tokens: columns with what they mean, columns with their types besides, names of columns.
_MEANT, _TYPED = 0.65, 0.2
_NEVER_CUT = tuple(ROLES.index(role) for role in ("key", "name", "time", "time_type", "amount"))
# Tokens of a heading, and of a line's indent and break.
_SPARE = 2
_TOKENS_OF_NAMES = 1_500


@dataclass(frozen=True, slots=True)
class Panorama:
    """The tables with columns, further tables by name, and the columns that can be read there."""

    tables: str
    names: str
    columns: tuple[ColumnRef, ...]
    left_out: int
    further: int


def panorama(question: LinkedQuestion, tokens: int) -> Panorama:
    """The panorama of a question."""
    view = schema_view(question, tokens)
    if view.left_out > 0:
        view = _larger(question, schema_view(question, int(tokens * _MEANT)), tokens)
    others = names_view(question, min(_TOKENS_OF_NAMES, tokens // 4))
    shown = {ref.table for ref in view.columns}
    names = [line for line, ref in zip(others.text.splitlines(), others.shown, strict=True) if ref not in shown]
    return Panorama(view.text, "\n".join(names), view.columns, max(0, view.left_out), max(0, others.left_out))


@dataclass
class _Sheet:
    """Lines of each table, in the order in which tables came."""

    question: LinkedQuestion
    left: float
    lines: dict[TableRef, list[str]] = field(default_factory=dict)
    shown: dict[ColumnRef, None] = field(default_factory=dict)

    def add(self, ref: ColumnRef, share: float) -> bool:
        """Write a column with its type, where the share of tokens that may be used allows it."""
        column = self.question.catalog.table_by_ref[ref.table].column_by_path[ref.path]
        line = f"  {structure_line(column, self.question.facts.of(ref))}"
        cost = estimate_tokens(line) + _SPARE + (0 if ref.table in self.lines else self._begin_cost(ref.table))
        if self.left - cost < share:
            return False
        self.left -= cost
        self._of(ref.table).append(line)
        self.shown[ref] = None
        return True

    def name_others(self, table: TableRef) -> None:
        """Name the other columns of a table, as many as fit."""
        columns = self.question.catalog.table_by_ref[table].column_by_path
        others = [ref for ref in ranked_columns(self.question, [table]) if ref not in self.shown]
        # The paths inside a column tell that it is there.
        self.shown.update((ref, None) for ref in others if columns[ref.path].is_nested)
        others = [ref for ref in others if ref not in self.shown]
        named = list[str]()
        for ref in others:
            cost = estimate_tokens(f"{ref.path}, ")
            if self.left - cost < 0:
                break
            self.left -= cost
            named.append(name_of(ref.path))
            self.shown[ref] = None
        more = len(others) - len(named)
        if others:
            names = ", ".join(named) + (f" and {more} more" if named and more else "" if named else f"{more} more")
            self._of(table).append(f"  also: {names}")

    def _of(self, table: TableRef) -> list[str]:
        return self.lines.setdefault(table, [self._heading(table)])

    def _heading(self, table: TableRef) -> str:
        known = self.question.catalog.table_by_ref[table]
        return heading(known, self.question.read.siblings.get(table, ()))

    def _begin_cost(self, table: TableRef) -> int:
        return estimate_tokens(self._heading(table)) + _SPARE


def _larger(question: LinkedQuestion, meant: View, tokens: int) -> View:
    """The likeliest columns with what they mean, and their tables told to the end."""
    sheet = _Sheet(question, tokens - estimate_tokens(meant.text))
    tables = list(dict.fromkeys(ref.table for ref in meant.columns))
    for table, lines in _by_table(meant.text, tables):
        sheet.lines[table] = lines
    sheet.shown.update(dict.fromkeys(meant.columns))
    for ref in _bridges(question, tables):
        if ref not in sheet.shown:
            sheet.add(ref, 0)
    share = tokens * (1 - _MEANT - _TYPED)
    for ref in _never_cut(question, tables):
        if ref not in sheet.shown and not sheet.add(ref, share):
            break
    for table in tables:
        sheet.name_others(table)
    stood_for = sum(1 + len(question.read.siblings.get(ref.table, ())) for ref in sheet.shown)
    text = "\n".join(line for lines in sheet.lines.values() for line in lines)
    return View(text, tuple(sheet.shown), question.catalog.column_count - stood_for)


def _by_table(text: str, tables: Sequence[TableRef]) -> Iterator[tuple[TableRef, list[str]]]:
    """The lines of each table: a heading is not indented."""
    lines = text.split("\n")
    starts = [place for place, line in enumerate(lines) if not line.startswith(" ")]
    for table, first, end in zip(tables, starts, [*starts[1:], len(lines)], strict=True):
        yield table, lines[first:end]


def _bridges(question: LinkedQuestion, tables: Iterable[TableRef]) -> Iterator[ColumnRef]:
    """The keys that bring these tables together, those of tables in between included."""
    lexicon = question.ranked.known.lexicon
    places = {table.ref: number for number, table in enumerate(lexicon.tables)}
    for pair in connect(question.ranked, [places[ref] for ref in tables if ref in places]):
        yield from (lexicon.refs[column] for column in pair)


def _never_cut(question: LinkedQuestion, tables: Sequence[TableRef]) -> list[ColumnRef]:
    """What the question names a value of, then keys, names, times and amounts, the likeliest first."""
    lexicon = question.ranked.known.lexicon
    is_spine: npt.NDArray[np.bool_] = np.any(lexicon.roles[:, _NEVER_CUT], axis=1)
    order = np.argsort(-question.ranked.columns, kind="stable")
    wanted = set(tables)
    bound = [binding.ref for binding in question.mentions.bindings if binding.ref.table in wanted]
    spine = [
        ref
        for place in order
        if is_spine[place]
        and (ref := lexicon.refs[int(place)]).table in wanted
        and not lexicon.columns[int(place)].is_nested
    ]
    return list(dict.fromkeys((*bound, *spine)))
