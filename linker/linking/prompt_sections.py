"""
Prompt sections of a ranked question, each bounded in size: table and column lists, schema, and the
schema overview (panorama).

Size does not grow with the catalog: the most relevant items come first, identical tables share a
line, and omitted items are counted; `list_tables` and `list_columns` reach them. A schema that fits
is shown whole.

The panorama describes the most relevant columns and names all others of their tables. A table whose
names do not fit is listed by name alone, except for the most relevant one.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np
from msgspec.structs import replace

from linker.catalog.description import CODED, column_name, cut, heading, label_of, listed
from linker.linking.mschema import LEAST_TOKENS_OF_COLUMN
from linker.linking.value_linking import Binding, LinkedQuestion
from linker.models import estimate_tokens
from linker.ranking.column_selection import allocate, connected
from linker.text.numbers import shortly
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

_Lines = dict[TableRef, dict[TableRef | ColumnRef, str]]

# Shares of the tokens: for the tables that bring others together, and for what columns of a first
# wide table mean.
_BRIDGES = 0.1
_FIRST_MEANT = 0.25
_TOKENS_OF_NAMES = 1_500
# Tables that did not fit, and of which the likeliest columns are named.
_NEARLY_SHOWN = 5
# What is longer is said once.
_SHORT = 40


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
        line = f"{column_name(str(table.ref))}{siblings}{comment}"
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
    odds: dict[ColumnRef, float] = {}
    for number, table in enumerate(lexicon.tables):
        if table.ref in wanted:
            start, end = lexicon.starts[number : number + 2]
            odds.update(
                zip(
                    lexicon.refs[start:end],
                    question.ranked.columns[start:end].tolist(),
                    strict=True,
                )
            )
    refs: list[ColumnRef] = []
    for ref in tables:
        refs += [
            ColumnRef(ref, column.path) for column in question.catalog.table_by_ref[ref].columns
        ]
    return sorted(refs, key=lambda ref: -odds.get(ref, -100.0))


def other_columns(question: LinkedQuestion, table: TableRef, shown: Collection[ColumnRef]) -> View:
    """All columns of a table but these in a line of names, with the keys that they lead to."""
    columns = question.catalog.table_by_ref[table].columns
    # The paths inside a column tell that it is there.
    whole = [ColumnRef(table, item.path) for item in columns if not item.is_nested]
    others = [ref for ref in whole if ref not in shown]
    named = set(others)
    if len(named) > MOST_NAMED:
        likeliest = (ref for ref in ranked_columns(question, [table]) if ref in named)
        named = set(islice(likeliest, MOST_NAMED))
    names = []
    for ref in others:
        if ref in named:
            key = question.facts_of(ref).points_to[:1]
            names.append(" -> ".join(map(column_name, (ref.path, *map(str, key)))))
    more = len(others) - len(names)
    rest = f" and {more} more: list_columns finds them by words" if more else ""
    inside = (ColumnRef(table, item.path) for item in columns if item.is_nested)
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
    lines = [_bound(question, binding) for binding in telling[:8]]
    lines += [f"{period.words!r} is {period.bounds}" for period in periods[:4]]
    lines += [f"glossary: {cut(str(meaning.term), 300)}" for meaning in question.read.meanings]
    lines += _passages(question.read.passages)
    # Where no rows were read, no value can be found.
    if mentions.unbound and question.ranked.known.is_profiled:
        lines.append(
            f"named, and not among the values that the index holds: {listed(mentions.unbound[:8])}"
        )
    return "\n".join(lines) or "nothing"


def _bound(question: LinkedQuestion, binding: Binding) -> str:
    """A value that the question names, with the label of a code."""
    column = question.catalog.find(binding.ref)
    label = label_of(binding.value, column.description if column else None)
    says = f", which is {label}" if label and label.casefold() != binding.words.casefold() else ""
    return cut(f"{binding}{says}", 200)


def _passages(passages: Sequence[str]) -> Iterator[str]:
    """The nearest passages of documents, as far as they fit."""
    characters = PASSAGES
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
    return (question.ranked.known.lexicon.tables[int(index)] for index in order)


def table_line(question: LinkedQuestion, table: Table, siblings: Sequence[TableRef]) -> str:
    """A table in a line, with the names of its likeliest columns."""
    best = [column.path for column in ranked_columns(question, [table.ref])[:_COLUMNS_SHOWN]]
    more = len(table.columns) - len(best)
    names = ", ".join(map(column_name, best)) + (f" and {more} more" if more else "")
    return f"{heading(table, siblings)}: {names}"


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
            view, left_out=question.catalog.column_count - covered_tables(question, view.columns)
        )
    count = sum(len(question.catalog.table_by_ref[ref].columns) for ref in tables)
    return replace(view, left_out=count - len(view.columns))


def columns_view(question: LinkedQuestion, columns: Sequence[ColumnRef], tokens: int) -> View:
    """These columns under their tables, the first of them as far as they fit."""
    lines = _written(question, columns)
    chosen = tuple(_within(columns, lines, tokens))
    shown = {*chosen, *(ref.table for ref in chosen)}
    every: dict[Ref, str] = {}
    for of_table in lines.values():
        every |= of_table
    kept = [line for ref, line in every.items() if ref in shown]
    return View("\n".join(kept), chosen, len(columns) - len(chosen))


def covered_tables(question: LinkedQuestion, columns: Sequence[ColumnRef]) -> int:
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
    return [lexicon.refs[index] for index in allocate(question.ranked, most).columns]


def _written(question: LinkedQuestion, columns: Iterable[ColumnRef]) -> _Lines:
    """The lines of each table: its heading, then its columns in the order of the table."""
    wanted = dict.fromkeys(columns)
    lines: _Lines = {}
    for ref in dict.fromkeys(ref.table for ref in wanted):
        table = question.catalog.table_by_ref[ref]
        lines[ref] = {ref: heading(table, question.read.siblings.get(ref, ()))}
        for column in table.columns:
            index = ColumnRef(ref, column.path)
            if index in wanted:
                lines[ref][index] = f"  {question.describe(index).line()}"
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


class Panorama(Record, frozen=True):
    """The tables with columns, further tables by name, and the columns that can be read there."""

    tables: str
    names: str
    columns: tuple[ColumnRef, ...]
    left_out: int
    further: int


def panorama(question: LinkedQuestion, tokens: int) -> Panorama:
    """The panorama of a question."""
    sheet, columns = _Sheet(question, tokens * (1 - _BRIDGES)), likeliest(question, None, tokens)
    sheet.add(columns[:1])
    sheet.left = max(sheet.left, tokens * _FIRST_MEANT)
    sheet.add(columns)
    sheet.left += tokens * _BRIDGES
    sheet.add(list(chain.from_iterable(connected(question.ranked, sheet.lines))))
    sheet.add(columns)
    view, others = sheet.view(), names_view(question, min(_TOKENS_OF_NAMES, tokens // 4))
    names: dict[Ref, str] = dict(zip(others.shown, others.text.splitlines(), strict=True))
    for ref in [*sheet.refused][:_NEARLY_SHOWN]:
        names[ref] = table_line(
            question, question.catalog.table_by_ref[ref], question.read.siblings.get(ref, ())
        )
    further = "\n".join(line for ref, line in names.items() if ref not in sheet.lines)
    return Panorama(
        view.text, further, view.columns, max(0, view.left_out), max(0, others.left_out)
    )


class _Sheet:
    """
    Lines of columns by table, as many as fit with the names of all other columns of these tables.
    """

    def __init__(self, question: LinkedQuestion, tokens: float) -> None:
        self.question, self.left = question, tokens
        self.lines = dict[TableRef, dict[ColumnRef, str]]()
        self.refused = dict[TableRef, None]()
        self._written = set[str]()

    def add(self, columns: Iterable[ColumnRef]) -> None:
        """
        Show columns: those with what they mean that tell anything, the others by name; the first
        one in any case.
        """
        for ref in columns:
            own = self.lines.get(ref.table)
            if ref.table in self.refused or ref in (own or ()):
                continue
            names = other_columns(self.question, ref.table, ()).text if own is None else ""
            cost = line_cost(self._heading(ref.table)) + line_cost(names) if own is None else 0
            if cost > self.left and self.lines:
                self.refused[ref.table] = None
                continue
            self.left -= cost
            own = self.lines.setdefault(ref.table, {})
            described = self.question.describe(ref)
            parts = [part for part in described.meaning() if part not in self._written]
            if parts or described.facts.is_primary_key:
                line = "; ".join((f" {described.structure()}", *parts))
                cost = line_cost(line) - line_cost(ref.path)
                if cost <= self.left:
                    self.left -= cost
                    own[ref] = line
                    # The legend of codes stands wherever they do.
                    if described.facts.category not in CODED:
                        self._written.update(part for part in parts if len(part) > _SHORT)

    def view(self) -> View:
        """Each table: its heading, columns in its order, and the names of its others."""
        lines, shown = list[str](), list[ColumnRef]()
        for table, own in self.lines.items():
            others = other_columns(self.question, table, own)
            refs = (ColumnRef(table, item.path) for item in self._table(table).columns)
            in_order = [ref for ref in refs if ref in own]
            lines += [self._heading(table), *map(own.__getitem__, in_order)]
            lines += [others.text] if others.text else []
            shown += dict.fromkeys((*in_order, *others.columns))
        left_out = self.question.catalog.column_count - covered_tables(self.question, shown)
        return View("\n".join(lines), tuple(shown), left_out)

    def _table(self, ref: TableRef) -> Table:
        return self.question.catalog.table_by_ref[ref]

    def _heading(self, table: TableRef) -> str:
        return heading(self._table(table), self.question.read.siblings.get(table, ()))
