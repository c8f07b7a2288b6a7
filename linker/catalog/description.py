"""
One-line descriptions of tables and columns, and column values as figures.

Prompts and agents get the same parts in the same order: structure (L1), usage, comment, dates or
values (L2). Lines for agents are shorter. Full profile cards (L3) are in `output/profile_card.py`.
A column of numbers is taken for times since 1970 by its name or comment and by its numbers: all lie
between 1990 and 2100 in seconds, milliseconds, microseconds or nanoseconds.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from linker.catalog.column_metadata import NOTHING_KNOWN, ColumnFacts
from linker.catalog.profile import ColumnProfile, Semantics, Statistics, Structure, shown_part
from linker.text.escaping import escape_invisible, shortened
from linker.text.numbers import first_of, moment
from linker.text.words import parts, readable, word_list, words_of_name
from linker.types import Column, ColumnRef, Record, Table, TableRef

_FIRST = datetime(1990, 1, 1, tzinfo=UTC)
_LAST = datetime(2100, 1, 1, tzinfo=UTC)
_PER_SECOND = {
    "seconds": 1,
    "milliseconds": 1_000,
    "microseconds": 1_000_000,
    "nanoseconds": 1_000_000_000,
}
_WHOLE = re.compile(r"-?\d{1,20}(?:\.0+)?")
NUMBER_TYPE = re.compile(
    r"\w*int\w*|num\w*|decimal\b.*|double\b.*|float\w*|real|long", re.IGNORECASE
)


class Epoch(Record, frozen=True):
    """Unit, first and last of timestamps stored as numbers."""

    unit: str
    first: str
    last: str

    def __str__(self) -> str:
        return f"{self.unit} since 1970, {' to '.join(dict.fromkeys((self.first, self.last)))}"


def epoch_of(
    path: str, data_type: str, comment: str | None, values: Iterable[str | None]
) -> Epoch | None:
    """The unit, judged by some values; None for other columns."""
    numbers = [int(float(value)) for value in values if value and _WHOLE.fullmatch(value)]
    if not numbers or not NUMBER_TYPE.fullmatch(data_type) or not _names_time(path, comment):
        return None
    for unit, per_second in _PER_SECOND.items():
        low, high = min(numbers) / per_second, max(numbers) / per_second
        if _FIRST.timestamp() <= low and high < _LAST.timestamp():
            return Epoch(unit, _day(low), _day(high))
    return None


def _names_time(path: str, comment: str | None) -> bool:
    """The name or comment says that the numbers are times since 1970."""
    words = set(parts(path.rpartition(".")[2]))
    if words & (word_list("naming_times") | word_list("naming_times_as_numbers")):
        return True
    return not {"epoch", "unix", "1970"}.isdisjoint(parts(comment or ""))


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


SIBLINGS_SHOWN = 6
# Semantic types whose comments explain values.
CODED = ("category", "code", "boolean")
_LONGEST_NAME = 160
_LONGEST_TYPE = 40
_LONGEST_COMMENT = 160
_LONGEST_FAMILY = 200
_LONGEST_COMMENT_OF_TABLE = 90
_LONGEST_SHORT_COMMENT = 80
_LONGEST_LEGEND = 140
# Prompts show the whole legend of codes.
_LONGEST_COMMENT_OF_CODES = 600
_LONGEST_LABEL = 40
_LONGEST_FIGURE = 40
# Separators of code and label; a label contains a letter.
_BETWEEN = r"=|:|->|→|=>|–|—|\s-\s"
_LABEL = rf"([^,;|/\n().=:]{{0,{_LONGEST_LABEL}}}[^\W\d_][^,;|/\n().=:]{{0,{_LONGEST_LABEL}}})"
_QUOTES = " '\"“”‘’"
# Semantic types whose quantiles are stored as seconds since 1970.
_TIMES = ("date", "timestamp")
_LONGEST_VALUE = 30
_LONGEST_VALUES = 60
# Longer codes with many digits are hashes.
_LONGEST_CODE = 20
_VALUES = 6
_FREE_VALUES = 3
_SHORT_VALUES = 2
_USUAL = re.compile(
    r"(?P<same>date|boolean|json|list) (?P=same)|(timestamp|time) (date)?time"
    r"|(identifier|foreign_key|measure|money|geo|year) (\w*int|num|dec|double|float|real)"
    r"|(identifier|foreign_key|category|constant|code|text|email|phone|url) (\w*char|text|str)"
)
# Semantic types of which one example suffices.
_ONE_EXAMPLE = frozenset(
    ("identifier", "foreign_key", "measure", "money", "date", "timestamp", "time", "geo")
)
_FREE = frozenset(("text", "email", "url", "phone"))
_NO_VALUES = frozenset(("nan", "nat", "none"))
_NUMBER = re.compile(r"[-+.\d]+|nan", re.IGNORECASE)
# Numbers, dates and long codes of unmeasured columns: further ones add nothing.
_NUMBERED = re.compile(r"[-+.\d]+|nan|(\D*\d){4}.*", re.IGNORECASE | re.DOTALL)
# Row numbers, and amounts, whose examples are uninformative.
_UNINFORMATIVE = re.compile(
    r"(identifier|foreign_key) \d+$|(measure|money) -?\d{1,3}(\.0+)?$|boolean "
    # Of unmeasured numbers only years and days tell anything.
    r"|number (?!(19|20)\d\d((0[1-9]|1[0-2])[0-3]\d)?$)"
)
# Semantic types that need an example; unmeasured columns may be any.
_INFORMATIVE = ("category", "code", "text", "constant", "year", None)
# Semantic types implied by the data type.
_READ = ("boolean", "date", "timestamp")
_PLAIN = ("text", "measure", "foreign_key", None)
# Types that a column of times or flags may have in place of its own.
_TEXT = re.compile(r"\w*char.*|text|string|citext")
_WITH_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?=\D|$|[01]\d(?:\D|$|[0-3]\d(?:\D|$)))")
_LONGEST_TIME = 20


class ColumnDescription(Record, frozen=True):
    """A column with those parts of its profile that may be shown."""

    table: Table
    column: Column
    facts: ColumnFacts = NOTHING_KNOWN

    @property
    def ref(self) -> ColumnRef:
        return ColumnRef(self.table.ref, self.column.path)

    @property
    def name(self) -> str:
        """Its path, in the spelling that tools accept."""
        return column_name(self.column.path)

    def line(self) -> str:
        """Complete description for a prompt."""
        return "; ".join((self.structure(), *self.meaning()))

    @property
    def kind(self) -> str:
        """Type and semantic type, for a prompt."""
        kind, type_ = self.facts.category or "", self.column.short_type
        # Types are shown if unusual for their semantic type; SQLite has columns without one.
        is_usual = _USUAL.match(f"{kind} {type_}")
        return " · ".join(filter(None, ("" if is_usual else cut(type_, _LONGEST_TYPE), kind)))

    @property
    def is_unmeasured_text(self) -> bool:
        """Whether its kind is only that it is a text, as that of most unmeasured columns."""
        return self._is_text and not self.facts.category

    def structure(self) -> str:
        """Name, type, semantic type and referenced key, for a prompt."""
        parts = [self.name, self.kind]
        parts += ["primary key"] if self.facts.is_primary_key else []
        parts += [f"-> {column_name(str(key))}" for key in self.facts.points_to[:1]]
        return " · ".join(filter(None, parts))

    def meaning(self, all_values: int = 0, longest: int = _LONGEST_COMMENT) -> Iterator[str]:
        """
        Usage, comment (of codes with its whole legend, else of at most `longest` characters) and
        values, for a prompt; all values if they fit into `all_values` characters.
        """
        is_coded = self.facts.category in CODED
        longest = _LONGEST_COMMENT_OF_CODES if is_coded else longest
        return self._meaning(longest, self._all_values(all_values) or list(self._values()))

    def short_line(
        self,
        examples: Sequence[str] = (),
        label: str = "",
        *,
        codes: str = "",
        with_type: bool = False,
    ) -> str:
        """
        Complete description for an agent; `label` are the display columns of the referenced table,
        `codes` values with their labels.
        """
        longest = _LONGEST_LEGEND if self.facts.category in CODED else _LONGEST_SHORT_COMMENT
        values = [] if codes else self._short_values(examples)
        meaning = self._meaning(longest, values, always="always" if self._is_full else "empty or")
        named = f"named by {label}" if label else ""
        note = self._note(all_nulls=with_type)
        parts = (self.head(with_type=with_type), named, *meaning, codes, note)
        return "; ".join(filter(None, parts))

    def _note(self, *, all_nulls: bool) -> str:
        """
        That it is masked, and its nulls: at least those of times and keys, as of things that have
        not happened.
        """
        family, facts = self.table.family, self.facts
        is_telling = all_nulls or bool(facts.points_to) or facts.category in _TIMES
        is_counted = facts.has_nulls and facts.category != "empty"
        notes = ["masked"] if facts.is_masked else []
        if is_telling and is_counted and not (family and family.coverage):
            notes.append(f"{facts.null_count:,} null")
        return ", ".join(notes)

    @property
    def epoch(self) -> Epoch | None:
        """Unit of a timestamp that is stored as a number."""
        column = self.column
        return epoch_of(column.path, column.short_type, column.description, self.facts.values)

    @property
    def named(self) -> str:
        """
        Its name, with the form of values that the name does not tell: of a time in a text or number
        an example or the unit, of a flag that is no boolean both values.
        """
        form = self._form()
        return f"{self.name} ({form})" if form else self.name

    def _form(self) -> str:
        if self.epoch:
            return f"epoch {self.epoch.unit}"
        is_plain = self._is_text or NUMBER_TYPE.fullmatch(self.column.short_type)
        if not self.facts.values or self.facts.points_to or not is_plain:
            return ""
        return self._flag_values() or self._example_of_time()

    @property
    def _is_text(self) -> bool:
        return bool(_TEXT.fullmatch(self.column.short_type))

    @property
    def _is_number_in_text(self) -> bool:
        """Whether it is a text whose values look like numbers, which a filter has to quote."""
        values = self.facts.values
        return self._is_text and bool(values) and all(map(_NUMBER.fullmatch, values))

    def _flag_values(self) -> str:
        """Both values of a column with two single characters: `N/Y`, 0/1, or '0/1' in a text."""
        values = self.facts.values
        if not self.facts.distinct_count == len(values) == 2 or max(map(len, values)) > 1:
            return ""
        both = "/".join(sorted(map(readable, values)))
        return f"'{both}'" if self._is_text and _NUMBER.fullmatch(values[0]) else both

    def _example_of_time(self) -> str:
        """A value of a column that is named as a time, unless the name tells its form."""
        value, words = self.facts.values[0], set(parts(self.column.path.rpartition(".")[2]))
        is_told = not words.isdisjoint(word_list("naming_times_as_numbers"))
        is_year = "year" in words and not self._is_text
        if is_told or is_year or words.isdisjoint(word_list("naming_times")):
            return ""
        if not _WITH_YEAR.search(value) or len(value) > _LONGEST_TIME:
            return ""
        return f"'{readable(value)}'" if self._is_text else value

    @property
    def _is_full(self) -> bool:
        """No row is null."""
        return not self.facts.has_nulls

    def head(self, *, with_type: bool = False) -> str:
        """Name, semantic type and referenced key for an agent."""
        kind, type_ = self.facts.category, cut(self.column.short_type, _LONGEST_TYPE)
        if self.facts.is_primary_key:
            kind = "key"
        if with_type:
            kind = type_ if kind in _PLAIN or kind == type_ else f"{type_} {kind}"
        elif self.epoch:
            kind = type_
        elif self._is_number_in_text and not self.leads_to:
            kind = type_ if kind in _PLAIN else f"{type_} {kind}"
        elif kind in _READ and kind not in type_:
            kind = f"{type_} {kind}"
        elif self.leads_to and kind in ("foreign_key", "identifier"):
            kind = None
        if not self.leads_to:
            kind = kind or type_
        return " ".join(filter(None, (self.name, kind, self.leads_to)))

    @property
    def leads_to(self) -> str:
        """
        The referenced key after an arrow. Its schema is omitted if it is the same, its column if it
        has the same name or that of its table (`employees.employee_id`).
        """
        if not self.facts.points_to:
            return ""
        key = self.facts.points_to[0]
        is_near = key.table.schema == self.table.ref.schema
        target = key.table.name if is_near else str(key.table)
        has_same_name = key.path.casefold() == self.column.path.casefold()
        is_told = has_same_name or _is_named_after(key.path, key.table)
        return f"-> {column_name(target if is_told else f'{target}.{key.path}')}"

    @property
    def names_its_key(self) -> bool:
        """Whether its name tells the referenced table of the same schema (`customer_id`)."""
        return any(
            key.table.schema == self.table.ref.schema and _is_named_after(self.name, key.table)
            for key in self.facts.points_to[:1]
        )

    def _meaning(
        self, longest: int, values: Sequence[str], always: str = "always"
    ) -> Iterator[str]:
        family = self.table.family
        if family and (holders := family.holders(self.column)):
            yield readable(holders)
        if self.column.description:
            yield cut(self.column.description, longest).rstrip(".")
        if self.facts.days:
            yield " to ".join(dict.fromkeys(self.facts.days))
        elif epoch := self.epoch:
            is_told = epoch.unit in (self.column.description or "").casefold()
            yield (
                f"such as {epoch.first}"
                if is_told
                else f"{epoch.unit} since 1970, such as {epoch.first}"
            )
        elif values:
            # Sample rows of files, and some shards of a family, are no measurement.
            is_measured = bool(self.facts.category) and not (family and family.coverage)
            is_all = is_measured and len(values) == self.facts.distinct_count
            heading = "one of" if len(values) > 1 else always
            yield f"{heading if is_all else 'such as'} {', '.join(values)}"

    def _values(self) -> Iterator[str]:
        """
        As many values as fit into a short line; of similar ones the first, if it is informative.
        """
        kind, length = self.facts.category, 0
        type_ = self.column.short_type
        category = kind or ("number" if NUMBER_TYPE.fullmatch(type_) else type_)
        values = [value for value in self.facts.values if value.casefold() not in _NO_VALUES]
        for number, value in enumerate(values[: _FREE_VALUES if kind in _FREE else _VALUES]):
            shown = readable(value)[:_LONGEST_VALUE] or "''"
            length += len(shown)
            needs_one_example = kind in _ONE_EXAMPLE if kind else bool(_NUMBERED.fullmatch(shown))
            if number and (length > _LONGEST_VALUES or needs_one_example):
                return
            if _UNINFORMATIVE.match(f"{category} {shown}") or _is_hash(value):
                return
            yield shown

    def _all_values(self, characters: int) -> list[str]:
        """All texts and codes of the column, if all are known and fit."""
        values = [readable(value) or "''" for value in self.facts.values]
        is_whole = bool(values) and len(values) == self.facts.distinct_count
        is_informative = self.facts.category not in _ONE_EXAMPLE - {"identifier"}
        is_numbered = all(map(_NUMBER.fullmatch, values))
        if not (is_whole and is_informative and sum(map(len, values)) <= characters) or is_numbered:
            return []
        return values

    def _short_values(self, examples: Sequence[str]) -> list[str]:
        """The first short values, with the shards that have them."""
        if self.facts.category not in _INFORMATIVE:
            return []
        shown = [
            (readable(value) or "''") + self.facts.where(value)
            for value in examples
            if len(readable(value)) <= _LONGEST_VALUE
        ]
        return shown[: 1 if self.facts.category == "text" else _SHORT_VALUES]


def _is_hash(value: str) -> bool:
    """Whether it is a hash, a UUID or the like, of which an example is uninformative."""
    is_long = len(value) > _LONGEST_CODE and " " not in value
    return is_long and bool(_NUMBERED.fullmatch(value)) and not _WITH_YEAR.search(value)


def _is_named_after(path: str, table: TableRef) -> bool:
    """Whether a column has a table's name and one more word, such as `id`."""
    return words_of_name(path)[:-1] == words_of_name(table.name)


def heading(table: Table, siblings: Sequence[TableRef], most: int = SIBLINGS_SHOWN) -> str:
    """One line for a table, with the identical tables that it represents."""
    parts = [column_name(str(table.ref))]
    parts += [
        f"({cut(str(part), _LONGEST_FAMILY)})" for part in (table.schemas, table.family) if part
    ]
    if siblings:
        parts.append(f"(same columns: {listed(map(str, siblings), most)})")
    if table.description:
        parts.append(f"- {cut(table.description, _LONGEST_COMMENT_OF_TABLE).rstrip('.')}")
    return " ".join(parts)


def label_of(code: str, comment: str | None, *, between: str = _BETWEEN) -> str:
    """The label that a comment gives a code, as in `C = cancelled`; empty if none."""
    if not code or not comment:
        return ""
    quoted = rf"['‘\"“]?{re.escape(code)}['’\"”]?"
    match = re.search(rf"(?<![\w.]){quoted}\s*(?:{between})\s*{_LABEL}", comment)
    label = " ".join(match[1].strip(_QUOTES).split()) if match else ""
    return re.split(r"\s(?:and|or|und|oder)\s", label)[0]


def labelled(code: str, comment: str | None) -> str:
    """A code with the label from the comment."""
    label = label_of(code, comment)
    return f"{code} = {label}" if label else code


def statistics_line(
    profile: ColumnProfile, comment: str | None = None, *, with_values: bool = True
) -> str:
    """
    Value distribution (L3) in one line, with the most frequent values and the labels of codes.
    """
    parts = _statistics(shown_part(profile), comment, with_values=with_values)
    return f"{column_name(profile.path)}: {'; '.join(parts)}"


def _statistics(profile: ColumnProfile, comment: str | None, *, with_values: bool) -> Iterator[str]:
    l2, l3 = profile.l2, profile.l3
    if l3 is None:
        yield "no statistics: its table was not scanned"
        return
    yield f"{l3.row_count} rows, {l3.value_count} values"
    if l2.distinct_count is not None:
        yield f"{l2.distinct_count} distinct"
    if profile.is_shown:
        yield from _distribution(profile.l1, l2 if with_values else None, l3, comment)
        if epoch := profile_epoch(profile):
            yield str(epoch)
    else:
        yield "its values are not shown"


def profile_epoch(profile: ColumnProfile) -> Epoch | None:
    """Unit and range of a column of timestamps stored as numbers."""
    if profile.l3 is None or not profile.is_shown:
        return None
    ends = profile.l3.min_value, profile.l3.max_value
    return epoch_of(profile.path, profile.l1.data_type.lower(), profile.l2.description, ends)


def _distribution(
    l1: Structure, l2: Semantics | None, l3: Statistics, comment: str | None
) -> Iterator[str]:
    """Range, days and quantiles; from `l2` the most frequent values."""
    if l3.min_value is not None:
        yield f"from {_figure(l3.min_value)} to {_figure(l3.max_value or '')}"
    if l3.first_day:
        yield f"days {l3.first_day} to {l3.last_day}"
    is_time = l1.value_kind in _TIMES
    if l3.mean is not None and not is_time:
        yield f"mean {l3.mean:.4g}"
    if l3.quantiles:
        step = max(1, (len(l3.quantiles) - 1) // 4)
        quantiles = l3.quantiles[::step]
        write = partial(moment, with_time=False) if is_time else "{:.4g}".format
        shown = map(write, quantiles)
        yield f"quantiles {', '.join(shown)}"
    if l2 and l2.representative_values:
        frequent = []
        for entry in l2.representative_values[:5]:
            counts = ", ".join((str(entry.count), *map(_figure, entry.members)))
            frequent.append(f"{readable(labelled(_figure(entry.value), comment))} ({counts})")
        yield f"most frequent {', '.join(frequent)}"
    if l3.is_sampled:
        yield "partly from a sample"


def _figure(value: str) -> str:
    return readable(value)[:_LONGEST_FIGURE]


def column_name(name: str) -> str:
    """A name that tools accept; long names are truncated and found by prefix."""
    return cut(escape_invisible(name), _LONGEST_NAME)


def cut(text: str, length: int) -> str:
    """One line, truncated with an ellipsis."""
    return shortened(readable(text), length)


def listed(names: Iterable[str], most: int = 12) -> str:
    """The first names, and the number of the others."""
    return first_of(map(column_name, names), most)
