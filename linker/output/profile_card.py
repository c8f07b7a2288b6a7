"""
Sections of profile cards for all formats, and bars and histograms as text.

No value of a hidden or excluded column appears, and only patterns of a masked one.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil

from linker.catalog.profile import (
    ColumnProfile,
    HistogramBin,
    JoinEdge,
    Semantics,
    Statistics,
    Structure,
    TableProfile,
    shown_part,
)
from linker.text.commands import command
from linker.text.escaping import escape_invisible, one_line
from linker.text.numbers import counted, first_of, moment, number, percent, short_count
from linker.types import Column, ColumnRef, Record, Table

_EIGHTHS_ACROSS = " ▏▎▍▌▋▊▉█"
_EIGHTHS_UP = " ▁▂▃▄▅▆▇█"

# Labels of restricted values, by privacy.
KEPT_BACK = {"mask": "masked", "hide": "hidden", "exclude": "not read", "refuse": "not read"}
_UNREAD = {"exclude": "excluded by the settings", "refuse": "not readable by this role"}
_PERSONAL = {
    "national_id": "national id",
    "iban": "IBAN",
    "card": "payment card",
    "ip": "IP address",
    "name": "name of a person",
    "birth_date": "date of birth",
    "belief": "belief or origin",
}
_ORIGINS = {"dbt": "dbt docs", "warehouse": "warehouse comment"}
# Numeric identifiers have no digit grouping.
_NAMING = ("identifier", "foreign_key", "code", "year", "phone", "geo")
# Semantic types of groups.
_GROUPING = ("category", "code", "boolean", "year")
# Of the 21 quantiles: minimum, 5, 25, 50, 75 and 95 %, maximum.
_QUANTILES = {0: "min", 1: "5 %", 5: "25 %", 10: "median", 15: "75 %", 19: "95 %", 20: "max"}
_VALUES = 10
_EXAMPLES = 5
_SHAPES = 3
_MEMBERS = 3
# A fact and a remark.
Line = tuple[str, str]

_NONE: tuple[Line, ...] = (("none known", ""),)


def bar(share: float, width: int) -> str:
    """A bar for a share; visible for any positive share."""
    eighths = max(1, round(min(1.0, share) * width * 8)) if share > 0 else 0
    return "█" * (eighths // 8) + (_EIGHTHS_ACROSS[eighths % 8] if eighths % 8 else "")


def gauge(share: float, width: int) -> str:
    """A bar within its full length; empty or full only at exactly 0 or 1."""
    filled = round(share * width)
    if 0 < share < 1:
        filled = min(width - 1, max(1, filled))
    return "█" * filled + "░" * (width - filled)


def histogram(heights: Sequence[float], height: int) -> list[str]:
    """A bar chart as lines, top first."""
    eighths = [max(1, round(item * height * 8)) if item > 0 else 0 for item in heights]
    lines = []
    for row in reversed(range(height if heights else 0)):
        cells = (_EIGHTHS_UP[min(8, max(0, item - 8 * row))] for item in eighths)
        lines.append("".join(cells))
    return lines


def heights_of(bins: Sequence[HistogramBin], low: float, high: float, bars: int) -> list[float]:
    """
    Bins resampled to bars of equal width between bounds, the highest 1, assuming uniform bins;
    empty without values.
    """
    cells = [0.0] * bars
    step = (high - low) / bars
    for part in bins if high > low else ():
        if part.end <= part.start:
            if low <= part.start <= high:
                cells[min(bars - 1, int((part.start - low) / step))] += part.share
            continue
        first = max(0, int((part.start - low) / step))
        last = min(bars, ceil((part.end - low) / step))
        for cell in range(first, last):
            overlap = min(part.end, low + (cell + 1) * step) - max(part.start, low + cell * step)
            cells[cell] += part.share * max(0.0, overlap) / (part.end - part.start)
    peak = max(cells)
    return [cell / peak for cell in cells] if peak > 0 else []


class Fact(Record, frozen=True):
    """A labelled fact; a drawn one has no lines."""

    name: str
    lines: tuple[Line, ...] = ()


class ValueShare(Record, frozen=True):
    """A value with its count, and the shards that have it."""

    text: str
    count: float
    share: float
    members: str = ""
    is_rest: bool = False


class Histogram(Record, frozen=True):
    """Bar heights (0 to 1), axis ends, and the share outside."""

    heights: Sequence[float]
    low: str
    high: str
    outside: str


class ColumnCard(Record, frozen=True):
    """The visible profile of a column."""

    table: TableProfile
    column: Column
    l1: Structure
    l2: Semantics
    l3: Statistics | None

    @property
    def ref(self) -> ColumnRef:
        return ColumnRef(self.table.table.ref, self.column.path)

    @property
    def name(self) -> str:
        return escape_invisible(self.column.path)

    @property
    def type(self) -> str:
        return one_line(self.column.short_type)

    @property
    def category(self) -> str:
        """The semantic type."""
        return self.l1.category.replace("_", " ")

    @property
    def role(self) -> str:
        """The key it belongs to, unless the semantic type says so."""
        if self.l1.primary_key_origin:
            return "pk"
        return "fk" if self.l1.foreign_key_origin and self.category != "foreign key" else ""

    @property
    def description(self) -> str:
        return one_line(self.l2.description or "")

    @property
    def origin(self) -> str:
        """Source of the description."""
        return _ORIGINS.get(self.l2.description_origin or "", "")

    @property
    def kept_back(self) -> str:
        """A label if values are restricted."""
        return KEPT_BACK.get(self.l2.privacy or "", "")

    @property
    def null_ratio(self) -> float | None:
        """The share of nulls."""
        return self.l2.null_ratio

    def nulls(self, digits: int = 1) -> str:
        """The share of nulls as text."""
        if self.l2.null_ratio is None:
            return "not read" if self.l2.privacy in _UNREAD else "no rows"
        return percent(self.l2.null_ratio, digits=digits)

    def distinct(self, *, is_short: bool = False) -> str:
        """Distinct values as text."""
        count = self.l2.distinct_count
        if count is None:
            return "unknown" if self.kept_back in ("", "masked") else self.kept_back
        about = "" if self.l2.distinct_is_exact else "~"
        return about + (short_count(count) if is_short else f"{count:,}")

    @property
    def no_values(self) -> str:
        """Why no value is shown; empty if one is."""
        if self.l2.representative_values:
            return ""
        if self.kept_back not in ("", "masked"):
            return self.kept_back
        if self.l3 is not None and self.l3.value_count == 0:
            return "all null" if self.l3.row_count else "no rows"
        if self.l1.value_kind in ("struct", "list", "json"):
            return "see the paths inside"
        return "binary, not listed" if self.l1.value_kind == "binary" else "not measured"

    def examples(self, most: int = _EXAMPLES) -> str:
        """A few values, or why there is none."""
        values = self.l2.representative_values or ()
        text = ", ".join(_value(item.value) for item in values[:most])
        return self.no_values or f"{'masked: ' if self.kept_back == 'masked' else ''}{text}"

    @property
    def values(self) -> tuple[ValueShare, ...]:
        """The most frequent values and the rest, if any value repeats."""
        values = self.l2.representative_values
        if not values or self.l3 is None or values[0].count == 1:
            return ()
        counted = self._counted(self.l3, values[0].count)
        shares = list[ValueShare]()
        for item in values[:_VALUES]:
            share = min(1.0, item.count / counted)
            members = ", ".join(map(escape_invisible, item.members))
            shares.append(ValueShare(_value(item.value), item.count, share, members))
        rest = counted - sum(item.count for item in shares)
        if rest >= 1:
            shares.append(ValueShare("all others", rest, rest / counted, is_rest=True))
        return tuple(shares)

    def _counted(self, figures: Statistics, highest: int) -> float:
        """Number of counted values, estimated from the known share of the most frequent one."""
        if figures.top_value_share and self.l2.privacy == "show":
            return highest / figures.top_value_share
        if not figures.is_sampled or not figures.sample_row_count:
            return max(highest, figures.value_count)
        return max(highest, figures.sample_row_count * figures.value_count / figures.row_count)

    @property
    def quantiles(self) -> dict[str, str]:
        """Seven quantiles by name."""
        values = self.l3.quantiles if self.l3 else None
        if not values or len(values) <= max(_QUANTILES):
            return {}
        return {name: self._figure(values[index]) for index, name in _QUANTILES.items()}

    def histogram(self, bars: int = 60) -> Histogram | None:
        """The distribution; without the outer 5 % on both sides if outliers would flatten it."""
        if not self.l3 or not self.l3.histogram or not self.l3.quantiles:
            return None
        low, inner_low, *_, inner_high, high = self.l3.quantiles
        outside = ""
        if inner_low < inner_high and inner_high - inner_low < (high - low) / 8:
            low, high, outside = inner_low, inner_high, "5 % of the values are below, 5 % above"
        heights = heights_of(self.l3.histogram, low, high, bars)
        if not heights:
            return None
        return Histogram(heights, self._figure(low), self._figure(high), outside)

    @property
    def is_quantity(self) -> bool:
        """Whether values are amounts or times."""
        if self.l1.value_kind in ("date", "timestamp"):
            return True
        is_key = bool(self.l1.primary_key_origin or self.l1.foreign_key_origin)
        return not is_key and self.l1.category not in (*_NAMING, *_GROUPING)

    @property
    def groups(self) -> tuple[ValueShare, ...]:
        """Most frequent values of a category for a bar chart; none for shapes."""
        if self.l1.category not in _GROUPING or self.kept_back:
            return ()
        return tuple(item for item in self.values if not item.is_rest)

    def _figure(self, value: float) -> str:
        """A number of the statistics, as a date if it is an epoch."""
        if self.l1.value_kind in ("date", "timestamp"):
            return moment(value, with_time=False)
        return number(value, grouped=self.l1.category not in _NAMING)

    @property
    def facts(self) -> list[Fact]:
        """Everything but type, semantic type and description."""
        family, columns = self.table.table.family, self.table.joins_of(self.column.path)
        joins = tuple(chain.from_iterable(map(self._join, columns)))
        measured = self._measured(self.l3) if self.l3 else ()
        facts = [
            _fact("members", one_line(family.holders(self.column)) if family else ""),
            _fact("keys", _keys(self.l1)),
            _fact("privacy", _privacy(self.l2)),
            _fact("show it by", self._shown_by(), "in linker.yml"),
            *measured,
            Fact("joins", joins or _NONE),
            Fact("measured", _measured_when(self.table)),
        ]
        return [fact for fact in facts if not fact.lines or fact.lines[0] != ("", "")]

    def _shown_by(self) -> str:
        """The linker.yml line that would show restricted values."""
        if self.l2.privacy not in ("mask", "hide"):
            return ""
        return f"show_columns: [{json.dumps(str(self.ref).lower(), ensure_ascii=False)}]"

    def _measured(self, figures: Statistics) -> Iterator[Fact]:
        yield _fact("nulls", self.nulls(), self._missing(figures))
        yield _fact("distinct", self.distinct(), _how_distinct(self.l2, figures))
        yield _fact("length", _length(self.l1.value_kind, self.l2))
        shapes = (self.l2.patterns or ())[:_SHAPES]
        yield _fact("shapes", " · ".join(f"{_value(it.value)} {it.count:,}×" for it in shapes))
        each_once = f"all distinct; for example {self.examples(_VALUES)}"
        yield Fact("values") if self.values else _fact("values", self.no_values or each_once)
        if figures.min_value is not None and figures.max_value is not None and not self.quantiles:
            yield _fact("range", f"{_value(figures.min_value)} … {_value(figures.max_value)}")
        yield _fact("quantiles", " · ".join(map(" ".join, self.quantiles.items())))
        if self.quantiles and self.histogram():
            yield Fact("histogram")
        yield _fact("spread", " · ".join(self._spread(figures)))
        yield _fact("days", " · ".join(_days(figures)))

    def _missing(self, figures: Statistics) -> str:
        if self.l2.null_ratio is None:
            return ""
        statistics = self.table.statistics
        noun = "row" if statistics and statistics.row_count == figures.row_count else "element"
        missing = figures.row_count - figures.value_count
        return f"{missing:,} of {counted(figures.row_count, noun)}"

    def _spread(self, figures: Statistics) -> Iterator[str]:
        if figures.mean is not None and self.l1.value_kind in ("integer", "number"):
            yield f"mean {self._figure(figures.mean)}"
            if figures.deviation is not None:
                yield f"deviation {self._figure(figures.deviation)}"
        if figures.entropy is not None:
            yield f"entropy {figures.entropy:.2f} bits"
        order = figures.monotonicity or 0
        if abs(order) >= 0.9:
            yield f"{'ascending' if order > 0 else 'descending'} in storage order"

    def _join(self, edge: JoinEdge) -> tuple[Line, Line]:
        points = edge.source == self.ref.table and self.column.path in edge.from_columns
        end = _end(edge.to_columns, edge.key) if points else _end(edge.from_columns, edge.source)
        return (f"{'→' if points else '←'} {end}", _trust(edge)), ("", one_line(edge.evidence))


class TableCard(Record, frozen=True):
    """The visible profile of a table."""

    profile: TableProfile
    columns: tuple[ColumnCard, ...]

    @property
    def table(self) -> Table:
        return self.profile.table

    @property
    def is_scanned(self) -> bool:
        """Whether it has statistics."""
        return self.profile.statistics is not None

    @property
    def facts(self) -> list[Fact]:
        """Everything but size, description and columns."""
        family = self.table.family
        newest = (
            escape_invisible(family.representative) if family and not family.is_snapshots else ""
        )
        siblings = ", ".join(map(escape_invisible, self.table.siblings))
        facts = [
            _fact("newest", newest),
            _fact("siblings", siblings and f"same columns, different content: {siblings}"),
            _fact("schemas", one_line(self.table.schemas)),
            Fact("joins out", self._joins("source")),
            Fact("joins in", self._joins("key")),
            Fact("scanned", _measured_when(self.profile)),
            _fact("privacy", "; ".join(self._kept_back())),
        ]
        return [fact for fact in facts if fact.lines[0] != ("", "")]

    def _joins(self, side: str) -> tuple[Line, ...]:
        lines = list[Line]()
        for edge in self.profile.joins:
            if getattr(edge, side) == self.table.ref:
                start, end = _end(edge.from_columns, edge.source), _end(edge.to_columns, edge.key)
                lines.append((f"{start} → {end}", _trust(edge)))
        return tuple(lines) or _NONE

    def _kept_back(self) -> Iterator[str]:
        for privacy, word in (KEPT_BACK | _UNREAD).items():
            names = [item.name for item in self.columns if item.l2.privacy == privacy]
            if names:
                yield f"{word}: {', '.join(names)}"


def column_card(table: TableProfile, column: ColumnProfile) -> ColumnCard:
    shown, own = shown_part(column), table.table.column_by_path[column.path]
    return ColumnCard(table, own, shown.l1, shown.l2, shown.l3)


def table_card(profile: TableProfile) -> TableCard:
    return TableCard(profile, tuple(column_card(profile, item) for item in profile.columns))


def why_not_scanned(profile: TableProfile) -> str:
    """Why a table has no statistics."""
    if profile.plan is None:
        return "not scanned: not part of the last run"
    if profile.plan.state == "left out":
        return f"not scanned: {one_line(profile.plan.reason)}"
    return f"not scanned yet; run: {command('profile')}"


def _fact(name: str, text: str, remark: str = "") -> Fact:
    return Fact(name, ((text, remark if text else ""),))


def _value(text: str) -> str:
    """A value in one line; an empty one is made visible."""
    return one_line(text) or '""'


def _keys(structure: Structure) -> str:
    """Keys of a column, with uniqueness and nullability."""
    facts = []
    if structure.primary_key_origin:
        facts.append(f"primary key ({structure.primary_key_origin})")
    if structure.foreign_key_origin:
        facts.append(f"foreign key ({structure.foreign_key_origin})")
    if structure.is_unique is not None:
        facts.append("unique" if structure.is_unique else "not unique")
    facts.append("nullable" if structure.is_nullable else "not null (enforced)")
    return " · ".join(facts)


def _privacy(semantics: Semantics) -> str:
    """Restriction of values and its reason; or that PII is shown."""
    kind = semantics.personal_data or ""
    looks_like = _PERSONAL.get(kind, kind)
    reason = f" ({looks_like} detected)" if kind else ""
    words = _UNREAD | {
        "hide": f"hidden{reason}: only counts are stored",
        "mask": f"masked{reason}: shapes instead of values",
        "show": f"shown, though it looks like {looks_like}" if kind else "",
    }
    return words.get(semantics.privacy or "", "")


def _how_distinct(semantics: Semantics, figures: Statistics) -> str:
    if semantics.distinct_count is None:
        return ""
    how = "counted" if semantics.distinct_is_exact else "estimated"
    share = figures.uniqueness or 0
    return f"{how}; {percent(share)} of the values" if share >= 0.01 else how


def _length(kind: str, semantics: Semantics) -> str:
    low, high = semantics.min_length, semantics.max_length
    if low is None or high is None:
        return ""
    unit = {"binary": "bytes", "list": "elements"}.get(kind, "characters")
    return f"{low:,} {unit}" if low == high else f"{low:,} to {high:,} {unit}"


def _days(figures: Statistics) -> Iterator[str]:
    if not figures.first_day or not figures.last_day:
        return
    yield f"{figures.first_day} to {figures.last_day}"
    if figures.day_coverage is not None:
        yield f"{percent(figures.day_coverage)} of the days have a value"
    if (figures.largest_gap_days or 0) > 1:
        yield f"longest gap {counted(figures.largest_gap_days or 0, 'day')}"


def _measured_when(profile: TableProfile) -> tuple[Line, ...]:
    """When and on which rows and shards statistics were measured."""
    figures, family = profile.statistics, profile.table.family
    if figures is None:
        return ((why_not_scanned(profile), ""),)
    rows, size = counted(figures.row_count, "row"), figures.sample_row_count
    if figures.is_sampled and size != figures.row_count:
        rows += f"; values and quantiles on a sample{f' of {size:,}' if size is not None else ''}"
    else:
        rows = f"all {rows}" if figures.row_count else "no rows: the table is empty"
    lines = [(f"{figures.scanned_at:%Y-%m-%d %H:%M} UTC on {rows}", "")]
    if family and family.members_read:
        read = first_of(map(escape_invisible, family.members_read), _MEMBERS)
        members = counted(len(family.members), "member")
        lines.append((f"{len(family.members_read)} of {members} read: {read}", ""))
    return tuple(lines)


def _end(columns: Sequence[str], table: object) -> str:
    """One side of a join."""
    names = ", ".join(map(escape_invisible, columns))
    return (
        f"{escape_invisible(table)}.{names}"
        if len(columns) == 1
        else f"{escape_invisible(table)} ({names})"
    )


def _trust(edge: JoinEdge) -> str:
    """Cardinality, origin and confidence of a join."""
    sure = "" if edge.origin == "declared" else f"confidence {edge.confidence:.2f}"
    return ", ".join(filter(None, (edge.cardinality, edge.origin, sure)))
