"""
The panorama: what a language model sees of the schema at once, within a limited size.

First as many of the likeliest tables as fit are shown with their columns by name, then of the
likeliest columns what they mean: a table that is missing costs more than a comment. Further tables
follow by name, all that fit. A table that does not fit with its names is not begun; of a wide one
the likeliest columns are named. Later turns show the tables that are in play, and no others.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

from linker.catalog.column_metadata import SURE_JOIN
from linker.catalog.description import CODED, ColumnDescription, column_name, cut, heading
from linker.linking.mschema import MIN_TOKENS_OF_COLUMN, key_pair
from linker.linking.prompt_sections import (
    MAX_NAMED,
    View,
    covered_tables,
    likeliest,
    line_cost,
    numbered,
    ranked_columns,
    ranked_tables,
)
from linker.linking.value_linking import LinkedQuestion
from linker.models import estimate_tokens
from linker.ranking.column_selection import connected
from linker.text.numbers import shortly
from linker.text.words import readable
from linker.types import ColumnRef, Record, Ref, Table, TableRef

# Token shares: tables with column names, tables that connect them, further table names; the rest is
# for descriptions.
_BY_NAME = 0.55
_BRIDGES = 0.1
_FURTHER = 0.18
# Share of the tables in play, which were described before.
_IN_PLAY = 0.3
# Share of these that the names of one table may take.
_WIDEST = 0.75
# Columns described before more tables are added.
_DESCRIBED = 30
# Tables that list all columns; others list keys and relevant columns. Larger budgets raise the
# number.
_WHOLE_TABLES = 3
_USUAL_TOKENS = 1_800
_TOKENS_OF_WHOLE = 200
_NAMED_OF_OTHERS = 20
# Characters of a column's comment; `list_columns` shows more.
_LONGEST_COMMENT = 100
# Further tables with a comment, and its length.
_COMMENTED = 6
_COMMENT = 45
# Longer texts are shown once.
_SHORT = 40
# Lookup tables up to this size show all values.
_LOOKUP_ROWS = 25
_LOOKUP_COLUMNS = 8
_VALUES_OF_LOOKUP = 400
# Values of columns without description, if few and short.
_MAX_NOTED = 4
_LONGEST_NOTE = 24


class Panorama(Record, frozen=True):
    """Tables with columns, further table names, and the visible columns."""

    tables: str
    names: str
    columns: tuple[ColumnRef, ...]
    left_out: int
    further: int


def panorama(
    question: LinkedQuestion, tokens: int, in_play: Collection[TableRef] | None = None
) -> Panorama:
    """The overview for a question; in later turns of the tables `in_play`."""
    if in_play is not None:
        return _of_tables(question, tokens, in_play)
    count = question.catalog.column_count
    is_small = count * MIN_TOKENS_OF_COLUMN <= tokens * _BY_NAME
    whole_tables = count if is_small else _whole_tables(tokens)
    sheet = _Sheet(question, tokens * _BY_NAME, whole_tables)
    columns = likeliest(question, None, tokens)
    sheet.open(columns)
    sheet.left += tokens * _BRIDGES
    sheet.open(chain.from_iterable(connected(question.ranked, sheet.lines)))
    sheet.left += tokens * (1 - _BY_NAME - _BRIDGES - _FURTHER)
    sheet.tell(columns[:_DESCRIBED])
    sheet.open(columns)
    sheet.tell(columns)
    view = sheet.view()
    names, further = _further(question, sheet, tokens * _FURTHER)
    return Panorama(view.text, names, view.columns, max(0, view.left_out), further)


def _of_tables(question: LinkedQuestion, tokens: int, in_play: Collection[TableRef]) -> Panorama:
    """These tables with their columns, one of those with the same columns; number of others."""
    sheet = _Sheet(question, tokens * _IN_PLAY, _whole_tables(tokens), in_play)
    columns = ranked_columns(question, [*in_play])
    tables, shown = set[TableRef](), set[TableRef]()
    for ref in dict.fromkeys(column.table for column in columns):
        if ref not in shown:
            tables.add(ref)
            shown |= {ref, *question.read.siblings.get(ref, ())}
    columns = [column for column in columns if column.table in tables]
    sheet.open(columns, is_any=True)
    sheet.tell(columns)
    view = sheet.view()
    further = len(question.catalog.tables) - len(shown)
    return Panorama(view.text or "none", "", view.columns, max(0, view.left_out), further)


def _whole_tables(tokens: int) -> int:
    """Number of tables that list all columns."""
    return _WHOLE_TABLES + max(0, tokens - _USUAL_TOKENS) // _TOKENS_OF_WHOLE


class _Sheet:
    """Tables with all column names, and descriptions of some."""

    def __init__(
        self,
        question: LinkedQuestion,
        tokens: float,
        whole_tables: int,
        in_play: Collection[TableRef] = (),
    ) -> None:
        self.question, self.left, self._whole_tables = question, tokens, whole_tables
        self._in_play = in_play
        self._widest = tokens * _WIDEST
        self.lines = dict[TableRef, dict[ColumnRef, str]]()
        self._shown_comments = set[str]()
        self._numbered = set[Ref | str]()

    def open(self, columns: Iterable[ColumnRef], *, is_any: bool = False) -> None:
        """
        Add the columns' tables while they fit; always the first, or any of them with `is_any`.
        """
        for ref in dict.fromkeys(column.table for column in columns):
            if ref in self.lines:
                continue
            names = self._names(ref, (), len(self.lines))
            cost = line_cost(self._heading(ref)) + names.cost
            if cost <= self.left or is_any or not self.lines:
                self.left -= cost
                self.lines[ref] = {}

    def tell(self, columns: Iterable[ColumnRef]) -> None:
        """Describe these columns while they fit."""
        for ref in columns:
            own = self.lines.get(ref.table)
            if own is None or ref in own:
                continue
            described = self.question.describe(ref)
            # The first one tells what the others hold.
            if (alike := numbered(described)) in self._numbered:
                continue
            parts = [part for part in self._meaning(described) if part not in self._shown_comments]
            if not parts:
                continue
            line = "; ".join((f" {_structure(self.question, described)}", *parts))
            # Named columns leave the list of others.
            cost = line_cost(line) - line_cost(line.partition(";")[0])
            if cost <= self.left:
                self.left -= cost
                own[ref] = line
                self._numbered.add(alike)
                # Legends of codes are always shown.
                if described.facts.category not in CODED:
                    self._shown_comments.update(part for part in parts if len(part) > _SHORT)

    def view(self) -> View:
        """For each table heading, described columns, and names of the others."""
        lines, shown = list[str](), list[ColumnRef]()
        for number, (table, own) in enumerate(self.lines.items()):
            others = self._names(table, own, number)
            refs = (ColumnRef(table, item.path) for item in self._table(table).columns)
            in_order = [ref for ref in refs if ref in own]
            lines += [self._heading(table), *map(own.__getitem__, in_order), *others.lines]
            shown += dict.fromkeys((*in_order, *others.columns))
        left_out = self.question.catalog.column_count - covered_tables(self.question, shown)
        return View("\n".join(lines), tuple(shown), left_out)

    def _names(
        self, table: TableRef, described: Collection[ColumnRef], number: int
    ) -> "_OtherColumns":
        """Names in the table with this number, of a wide one the likeliest."""
        most = MAX_NAMED if number < self._whole_tables else _NAMED_OF_OTHERS
        names = _names(self.question, table, described, most)
        most = min(most, len(names.columns))
        while names.cost > self._widest and most > _NAMED_OF_OTHERS:
            most = max(_NAMED_OF_OTHERS, min(most - 1, int(most * self._widest / names.cost)))
            names = _names(self.question, table, described, most)
        return names

    def _meaning(self, described: ColumnDescription) -> Iterator[str]:
        all_values = _VALUES_OF_LOOKUP if _is_lookup(described.table) else 0
        yield from described.meaning(all_values, _LONGEST_COMMENT)

    def _table(self, ref: TableRef) -> Table:
        return self.question.catalog.table_by_ref[ref]

    def _heading(self, ref: TableRef) -> str:
        table = self._table(ref)
        siblings = self.question.read.siblings.get(ref, ())
        text = heading(table, sorted(siblings, key=lambda other: other not in self._in_play))
        name = column_name(str(ref))
        return f"{name}{_no_rows(self.question, table)}{text.removeprefix(name)}"


def _is_lookup(table: Table) -> bool:
    """A small table, shown with all values."""
    rows = table.row_count_estimate
    return rows is not None and 0 < rows <= _LOOKUP_ROWS and len(table.columns) <= _LOOKUP_COLUMNS


class _OtherColumns(Record, frozen=True):
    """Columns shown by name only: lines and references."""

    lines: tuple[str, ...]
    columns: tuple[ColumnRef, ...]

    @property
    def cost(self) -> int:
        """Tokens of the lines."""
        return sum(map(line_cost, self.lines))


def _names(
    question: LinkedQuestion, table: TableRef, described: Collection[ColumnRef], most: int
) -> _OtherColumns:
    """Columns without a description: keys with their references, and up to `most` others."""
    columns = question.catalog.table_by_ref[table].columns
    # Nested paths imply their column.
    columns_at_top = [ColumnRef(table, item.path) for item in columns if not item.is_nested]
    others = [ref for ref in columns_at_top if ref not in described]
    keys = dict[ColumnRef, str]()
    for ref in others:
        if key := _key(question, question.describe(ref)):
            keys[ref] = f"{column_name(ref.path)} {key}"
    plain_refs = set(others) - keys.keys()
    best = (ref for ref in ranked_columns(question, [table]) if ref in plain_refs)
    named = {*keys, *islice(best, most)}
    plain, noted = list[str](), list[str]()
    for ref in (ref for ref in others if ref in named and ref not in keys):
        text = _with_values(question.describe(ref))
        (noted if text.endswith("]") else plain).append(text)
    more = len(others) - len(named)
    rest = f" and {more} more" if more else ""
    lines = [f" keys: {', '.join(keys.values())}"] if keys else []
    also = ", ".join(filter(None, (shortly(plain), *noted)))
    lines += [f" also: {also}{rest}"] if also else []
    inside = (ColumnRef(table, item.path) for item in columns if item.is_nested)
    return _OtherColumns(tuple(lines), (*filter(named.__contains__, others), *inside))


def _with_values(described: ColumnDescription) -> str:
    """A column name with its few values."""
    family = described.table.family
    if described.facts.category not in CODED or (family and family.coverage):
        return described.name
    values = [readable(value) or "''" for value in described.facts.values]
    is_whole = 1 < len(values) == described.facts.distinct_count and len(values) <= _MAX_NOTED
    text = ", ".join(values)
    is_short = len(text) <= _LONGEST_NOTE
    return f"{described.name} [{text}]" if is_whole and is_short else described.name


def _structure(question: LinkedQuestion, described: ColumnDescription) -> str:
    """Name, type and key of a described column."""
    if key := _key(question, described):
        return f"{described.name} {key}"
    kind = "" if described.is_unmeasured_text else described.kind.replace(" · ", " ")
    return f"{described.name}, {kind}" if kind else described.name


def _key(question: LinkedQuestion, described: ColumnDescription) -> str:
    """
    A key or reference: `->` if declared or almost certain, `~>` otherwise; a name equal on both
    sides is printed once.
    """
    parts = list[str]()
    family = described.table.family
    # Uniqueness within the shards read may not hold in others.
    if described.facts.is_primary_key and not (family and family.coverage):
        parts.append("unique")
    for target in described.facts.points_to[:1]:
        is_sure = key_pair(question.facts, described.ref, target).confidence >= SURE_JOIN
        has_same_name = target.path.casefold() == described.column.path.casefold()
        name = column_name(str(target.table if has_same_name else target))
        parts.append(f"{'->' if is_sure else '~>'} {name}")
    return " ".join(parts)


def _no_rows(question: LinkedQuestion, table: Table) -> str:
    is_empty = table.row_count_estimate == 0 and question.ranked.index.is_profiled
    return " (no rows)" if is_empty else ""


def _further(question: LinkedQuestion, sheet: _Sheet, tokens: float) -> tuple[str, int]:
    """Table names by schema, and the number of omitted ones."""
    siblings = question.read.siblings
    seen = {*sheet.lines}
    for ref in sheet.lines:
        seen.update(siblings.get(ref, ()))
    # Names that share a note: how many tables with the same columns they stand for, that
    # they have no rows, and a comment.
    by_schema = defaultdict[str, dict[tuple[int, str], list[str]]](lambda: defaultdict(list))
    count = 0
    for table in ranked_tables(question):
        if table.ref in seen:
            continue
        others = [ref for ref in siblings.get(table.ref, ()) if ref not in seen]
        name = column_name(table.ref.name)
        description = table.description if count < _COMMENTED else None
        comment = f" - {cut(description, _COMMENT).rstrip('.')}" if description else ""
        comment = f"{_no_rows(question, table)}{comment}"
        tokens -= estimate_tokens(f"{name}{comment}") + 1
        if tokens < 0:
            break
        by_schema[table.ref.schema][len(others), comment].append(name)
        seen |= {table.ref, *others}
        count += 1
    lines = list[str]()
    for schema, groups in by_schema.items():
        texts = list[str]()
        for (number, comment), names in groups.items():
            beginning = "each and" if len(names) > 1 else "and"
            copies = f" ({beginning} {number} with the same columns)" if number else ""
            texts.append(f"{shortly(sorted(names))}{copies}{comment}")
        lines.append(f"{column_name(schema)}: {'; '.join(texts)}")
    every = {table.ref for table in question.catalog.tables}
    return "\n".join(lines), len(every - seen)
