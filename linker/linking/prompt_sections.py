"""
Prompt sections of a ranked question, each bounded in size: table and column lists, schema, and the
schema overview (panorama).

Size does not grow with the catalog: the most relevant items come first, near-duplicates share a
heading, and omitted items are counted; `list_tables` and `list_columns` reach them. A schema that
fits is shown whole. Values similar to a name of the question (containing it, part of it, or
abbreviating it, as NL for National League) are shown as possible: the name may mean something else.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice

import numpy as np
from msgspec.structs import replace

from linker.catalog.description import (
    ColumnDescription,
    column_name,
    cut,
    heading,
    label_of,
    listed,
)
from linker.linking.mschema import MIN_TOKENS_OF_COLUMN
from linker.linking.value_linking import LinkedQuestion
from linker.models import estimate_tokens
from linker.ranking.answerability import check_answerable
from linker.ranking.column_selection import allocate
from linker.text.numbers import shortly
from linker.text.query_parser import read_text
from linker.text.quoted_and_codes import Mention
from linker.text.time_expressions import Period
from linker.text.words import casefold_ascii, parts, readable, words_of_text
from linker.types import ColumnRef, Record, Ref, Table, TableRef

# Maximum columns per name, and names.
_HOLDERS_OF_NAME = 3
_MAX_NAMES = 4
_LONGEST = 60
# Columns whose values are compared, most relevant first; 100,000 would take seconds.
_COLUMNS_READ = 3_000
_MIN_LETTERS = 3
_LETTERS_OF_PART = 4
# Range of words for initials.
_INITIALS = (2, 5)


class NearValue(Record, frozen=True):
    """A name in the question and a column with a similar value."""

    words: str
    ref: ColumnRef
    value: str


def near_values(question: LinkedQuestion) -> tuple[NearValue, ...]:
    """For each name the most relevant columns with a similar value and none equal."""
    bound = {
        (binding.words.casefold(), binding.ref.table) for binding in question.mentions.bindings
    }
    values = list[NearValue]()
    names = [
        thing
        for thing in question.mentions.things
        if thing.is_sure and thing.kind in ("name", "quoted") and not _is_inside(thing, question)
    ]
    for thing in names[:_MAX_NAMES]:
        near = _near(question, thing)
        new = (item for item in near if (thing.words.casefold(), item.ref.table) not in bound)
        values += islice(new, _HOLDERS_OF_NAME)
    return tuple(values)


def _is_inside(thing: Mention, question: LinkedQuestion) -> bool:
    """Whether it is part of a longer value in the question."""
    own = thing.words.casefold()
    bound = (binding.words.casefold() for binding in question.mentions.facts)
    return any(own in words and own != words for words in bound)


def _near(question: LinkedQuestion, thing: Mention) -> Iterator[NearValue]:
    """One value per column, most relevant column first."""
    lexicon, facts = question.ranked.index.lexicon, question.facts
    bound = {binding.words.casefold() for binding in question.mentions.facts}
    wanted = _NameMatcher(thing.words, is_bound=thing.words.casefold() in bound)
    order = np.argsort(-question.ranked.columns, kind="stable")
    for index in order[:_COLUMNS_READ].tolist():
        ref = lexicon.refs[index]
        values = facts.get(ref).values
        are_initials = all(value.isalpha() and value.isupper() for value in values)
        for value in values:
            if wanted.is_near(value, are_initials=are_initials):
                yield NearValue(thing.words, ref, value)
                break


class _NameMatcher:
    """A name's words and initials."""

    def __init__(self, words: str, *, is_bound: bool) -> None:
        self._words = [casefold_ascii(word) for word in parts(words)]
        self._text = " ".join(self._words)
        # Initials that are a value themselves abbreviate nothing.
        is_short = words.isupper() and _INITIALS[0] <= len(words) <= _INITIALS[1]
        self._is_short = is_short and not is_bound
        is_long = len(self._text) >= _MIN_LETTERS
        # A substring of all similar values, for fast filtering.
        self._pieces = [word for word in self._words if len(word) >= _LETTERS_OF_PART]
        self._pieces += [self._text] if is_long else []

    def is_near(self, value: str, *, are_initials: bool) -> bool:
        """
        Whether a value contains the name, is part of it, or abbreviates it; `are_initials`: the
        column holds abbreviations.
        """
        if len(value) > _LONGEST:
            return False
        if _INITIALS[0] <= len(value) <= _INITIALS[1] and value.isupper():
            return (
                are_initials and len(self._words) > 1 and value.casefold() == _initials(self._words)
            )
        if self._is_short and " " in value:
            return _initials([casefold_ascii(word) for word in parts(value)]) == self._text
        folded = casefold_ascii(value)
        if not any(piece in folded for piece in self._pieces):
            return False
        words = " ".join(parts(folded))
        is_inside = f" {self._text} " in f" {words} " and words != self._text
        return is_inside or (len(self._words) > 1 and words in self._pieces[: len(self._words)])


def _initials(words: list[str]) -> str:
    return "".join(word[:1] for word in words)


# Token limits of prompt sections.
NAMES = 1_000
# Characters.
PASSAGES = 1_500
_COLUMNS_SHOWN = 8
_MAX_BOUND = 8
_MAX_HOLDERS = 4
_MAX_PERIODS = 4
# Wider tables list their most relevant columns.
MAX_NAMED = 1_000
_SHORT_DESCRIPTION = 45
_DIGITS = re.compile(r"\d+")

_Lines = dict[TableRef, dict[TableRef | ColumnRef, str]]


class View(Record, frozen=True):
    """A text, the items in it, and the number omitted."""

    text: str
    shown: tuple[Ref, ...]
    left_out: int

    @property
    def columns(self) -> tuple[ColumnRef, ...]:
        """Visible columns."""
        return tuple(ref for ref in self.shown if isinstance(ref, ColumnRef))


def names_view(question: LinkedQuestion, tokens: int = NAMES) -> View:
    """Table names by relevance; one per group of identical tables."""
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
    """Columns of tables by relevance; unranked ones last."""
    lexicon, wanted = question.ranked.index.lexicon, set(tables)
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


def numbered(described: ColumnDescription) -> Ref | str:
    """The same for columns of a table that differ in a number, unless each has its own comment."""
    if described.column.description:
        return described.ref
    return f"{described.ref.table}.{_DIGITS.sub('', described.column.path)}"


def other_columns(
    question: LinkedQuestion, table: TableRef, columns: Sequence[ColumnRef], tokens: float
) -> str:
    """
    Further columns of a table as one line of names with references, in the order of the table; if
    they do not fit, the first ones.
    """
    known = question.catalog.table_by_ref[table]
    # Nested paths imply their column.
    top_level = [ref for ref in columns if not known.column_by_path[ref.path].is_nested]
    names = dict[ColumnRef, str]()
    for ref in top_level:
        key = question.facts_of(ref).points_to[:1]
        names[ref] = " -> ".join(map(column_name, (ref.path, *map(str, key))))
    named = set(dict(zip(top_level, fitting(names.values(), tokens), strict=False)))
    in_order = [names[ref] for ref in known.column_refs if ref in named]
    more = len(top_level) - len(named)
    if not named:
        return f"{more} more" if more else "no more"
    rest = f" and {more} more" if more else ""
    return f"also: {shortly(in_order)}{rest}"


def bound_view(question: LinkedQuestion, today: date | None = None) -> str:
    """
    Values, periods and glossary terms of the question; relative periods are resolved from `today`.
    """
    mentions = question.mentions
    lines = [*_bound_values(question)[:_MAX_BOUND]]
    near: dict[str, list[str]] = defaultdict(list)
    for item in near_values(question):
        near[item.words].append(f"{column_name(str(item.ref))} {cut(item.value, 60)!r}")
    lines += [f"{words!r} may be meant by {', '.join(held)}" for words, held in near.items()]
    lines += [*_periods(mentions.question, mentions.periods, today)][:_MAX_PERIODS]
    lines += [f"glossary: {cut(str(meaning.term), 300)}" for meaning in question.read.meanings]
    lines += _passages(question.read.passages)
    # Without profiles, unmatched values mean nothing.
    unbound = [words for words in mentions.unbound if words not in near]
    if unbound and question.ranked.index.is_profiled:
        lines.append(f"named, and not among the values that the index holds: {listed(unbound[:8])}")
    lines += _unmatched_terms(question)
    return "\n".join(lines) or "nothing"


def _bound_values(question: LinkedQuestion) -> list[str]:
    """Values of the question, each with all columns that contain it."""
    values: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for binding in question.mentions.bindings:
        # Numbers, above all times, are rarely values.
        if not binding.is_sure and binding.value.isdigit():
            continue
        column = question.catalog.find(binding.ref)
        label = label_of(binding.value, column.description if column else None)
        is_told = label and label.casefold() != binding.words.casefold()
        verb = "is" if binding.is_sure else "may be"
        key = (f"{binding.words!r} {verb} the value {binding.value!r}", binding.where, verb)
        says = f" (there {label})" if is_told else ""
        values[key].append(f"{column_name(str(binding.ref))}{binding.where}{says}")
    lines = list[str]()
    for (says, _, _), refs in values.items():
        lines.append(f"{says} of {' and of '.join(refs[:_MAX_HOLDERS])}")
    return lines


def _periods(text: str, periods: Iterable[Period], today: date | None) -> Iterator[str]:
    """Periods of days with bounds, resolved from `today` if relative."""
    counted = {period.start: period for period in read_text(text, today).periods}
    for period in periods:
        if period.kind == "recurring" or period.has_time_of_day:
            continue
        resolved = counted.get(period.start, period)
        says = f" if today is {today}" if today and resolved.bounds != period.bounds else ""
        yield f"{period.words!r} is {resolved.bounds}{says}"


def _unmatched_terms(question: LinkedQuestion) -> Iterator[str]:
    """Unmatched terms."""
    unmatched = check_answerable(question.ranked)
    bound = set[str]()
    for item in question.mentions.bindings:
        bound.update(words_of_text(item.words))
    phrases = [words for words in unmatched.phrases if not bound.issuperset(words_of_text(words))]
    if not phrases:
        return
    listed_phrases = ", ".join(map(repr, phrases))
    # Without profiles few values are known, and what is asked for may be one.
    if not question.ranked.index.is_profiled:
        yield f"in no name or comment: {listed_phrases}"
        return
    yield f"in no name, comment or known value: {listed_phrases}"
    if unmatched.has_low_confidence:
        yield "perhaps nothing here is about it: the tables shown are the nearest there are"


def _passages(passages: Sequence[str]) -> Iterator[str]:
    """Nearest passages of documents that fit."""
    characters = PASSAGES
    for passage in passages:
        characters -= len(passage)
        if characters > 0:
            yield f"from a document: {readable(passage)}"


def fitting(lines: Iterable[str], tokens: float) -> Iterator[str]:
    """Leading lines that fit."""
    for line in lines:
        tokens -= estimate_tokens(line)
        if tokens < 0:
            return
        yield line


def listed_tables(
    question: LinkedQuestion, tables: Sequence[Table], total: int, tokens: float
) -> str:
    """Tables found by a tool, as many as fit; columns once of those with the same columns."""
    first, texts = dict[TableRef, TableRef](), list[str]()
    for table in tables:
        if table.ref in first:
            name = column_name(str(first[table.ref]))
            texts.append(f"{heading(table, ())}: same columns as {name}")
            continue
        texts.append(with_best_columns(question, table, ()))
        first |= dict.fromkeys(question.read.siblings.get(table.ref, ()), table.ref)
    lines = list(fitting(texts, tokens))
    more = total - len(lines)
    return "\n".join([*lines, f"{more} more; say other words" if more else "no more"])


def ranked_tables(question: LinkedQuestion) -> Iterator[Table]:
    """Ranked tables, by relevance."""
    order = np.argsort(-question.ranked.tables, kind="stable")
    return (question.ranked.index.lexicon.tables[int(index)] for index in order)


def with_best_columns(question: LinkedQuestion, table: Table, siblings: Sequence[TableRef]) -> str:
    """A table with its most relevant column names."""
    best = [column.path for column in ranked_columns(question, [table.ref])[:_COLUMNS_SHOWN]]
    more = len(table.columns) - len(best)
    names = ", ".join(map(column_name, best)) + (f" and {more} more" if more else "")
    return f"{heading(table, siblings)}: {names}"


def schema_view(
    question: LinkedQuestion, tokens: int, tables: Sequence[TableRef] | None = None
) -> View:
    """The schema, or some tables, within a token limit."""
    chosen = list(_whole(question, tables, tokens))
    view = columns_view(question, chosen or likeliest(question, tables, tokens), tokens)
    if len(view.columns) < len(chosen):
        allowed = set(chosen)
        some = [ref for ref in likeliest(question, tables, tokens) if ref in allowed]
        view = columns_view(question, some, tokens)
    if tables is None:
        return replace(
            view, left_out=question.catalog.column_count - covered_tables(question, view.columns)
        )
    count = sum(len(question.catalog.table_by_ref[ref].columns) for ref in tables)
    return replace(view, left_out=count - len(view.columns))


def columns_view(question: LinkedQuestion, columns: Sequence[ColumnRef], tokens: int) -> View:
    """Columns under their tables, as many as fit."""
    lines = _written(question, columns)
    chosen = tuple(_within(columns, lines, tokens))
    shown = {*chosen, *(ref.table for ref in chosen)}
    every: dict[Ref, str] = {}
    for of_table in lines.values():
        every |= of_table
    kept = [line for ref, line in every.items() if ref in shown]
    return View("\n".join(kept), chosen, len(columns) - len(chosen))


def covered_tables(question: LinkedQuestion, columns: Sequence[ColumnRef]) -> int:
    """Number of columns including those of identical tables."""
    return sum(1 + len(question.read.siblings.get(ref.table, ())) for ref in columns)


def _whole(
    question: LinkedQuestion, tables: Sequence[TableRef] | None, tokens: int
) -> Iterator[ColumnRef]:
    """All columns by table relevance if they may fit, else none."""
    catalog = question.catalog
    # Larger catalogs are not expanded, as most would be omitted.
    if tables is None and catalog.column_count * MIN_TOKENS_OF_COLUMN <= tokens:
        tables = list(_folded(question))
    for ref in tables or ():
        yield from (ColumnRef(ref, column.path) for column in catalog.table_by_ref[ref].columns)


def _folded(question: LinkedQuestion) -> Iterator[TableRef]:
    """Tables by relevance, one per group of identical ones."""
    seen = set[TableRef]()
    for table in (*ranked_tables(question), *question.catalog.tables):
        if table.ref not in seen:
            yield table.ref
            seen |= {table.ref, *question.read.siblings.get(table.ref, ())}


def likeliest(
    question: LinkedQuestion, tables: Sequence[TableRef] | None, tokens: int
) -> list[ColumnRef]:
    """Columns that may fit, in budget order."""
    most = max(1, tokens // MIN_TOKENS_OF_COLUMN)
    if tables is not None:
        return ranked_columns(question, tables)[:most]
    lexicon = question.ranked.index.lexicon
    return [lexicon.refs[index] for index in allocate(question.ranked, most).columns]


def _written(question: LinkedQuestion, columns: Iterable[ColumnRef]) -> _Lines:
    """Lines by table: heading, then columns in table order."""
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
    """Leading columns that fit, counting each table's heading once."""
    left, headed = float(tokens), set[TableRef]()
    for ref in order:
        lines_of_table = lines.get(ref.table, {})
        if ref in lines_of_table:
            left -= line_cost(lines_of_table[ref]) + (
                0 if ref.table in headed else line_cost(lines_of_table[ref.table])
            )
            if left < 0:
                return
            headed.add(ref.table)
            yield ref


def line_cost(line: str) -> int:
    """Tokens of a line with its line break, a fifth of a short line."""
    return estimate_tokens(f"{line}\n")
