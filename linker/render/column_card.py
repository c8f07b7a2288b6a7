"""The card of one column: enters the profile of its table, leaves lines for people."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Column
from rich.text import Text

from linker.catalog.profile import ColumnProfile, JoinEdge, Statistics, TableProfile
from linker.render import chart, words
from linker.render.page import facts_grid, grid_of, indented, page
from linker.text.numbers import counted, moment, percent
from linker.text.safe import one_line, spelled
from linker.types import ColumnRef

_LABEL = 10
_TOP_VALUES = 10
_PATTERNS = 3
_CHART_HEIGHT = 4
# Of the 21 quantiles: minimum, 5, 25, 50, 75 and 95 %, maximum.
_SHOWN_QUANTILES = {0: "min", 1: "5 %", 5: "25 %", 10: "median", 15: "75 %", 19: "95 %", 20: "max"}
_WHERE_THERE_IS_ROOM = ("5 %", "95 %")

Section = tuple[str, RenderableType]


def render_column_card(
    profile: TableProfile, column: ColumnProfile, *, width: int, color: bool
) -> str:
    """The card in `width` characters."""
    facts = (
        (f"  {label}", content) for label, content in sections(profile, column, width - _LABEL - 4)
    )
    parts = (
        _heading(profile, column),
        _description(column),
        "",
        facts_grid(facts, label_width=_LABEL + 2),
    )
    return page(parts, width=width, color=color)


def _heading(profile: TableProfile, column: ColumnProfile) -> Text:
    heading = Text(spelled(ColumnRef(profile.table.ref, column.path)), style="bold cyan")
    short_type = profile.table.column_by_path[column.path].short_type
    heading.append(
        f"   {one_line(short_type)} · {column.l1.category.replace('_', ' ')}", style="not bold dim"
    )
    return heading


def _description(column: ColumnProfile) -> Text:
    if not column.l2.description:
        return Text("  nobody described it", style="dim italic")
    text = Text(f"  {one_line(column.l2.description)}", style="italic")
    origin = {"dbt": "dbt docs", "warehouse": "warehouse comment"}.get(
        column.l2.description_origin or ""
    )
    return text.append(f"   ({origin})", style="not italic dim") if origin else text


def sections(profile: TableProfile, column: ColumnProfile, room: int) -> Iterator[Section]:
    """All that is known of a column, each with its name."""
    family = profile.table.family
    if family and (holders := family.holders(profile.table.column_by_path[column.path])):
        yield "members", Text(one_line(holders))
    yield "keys", Text(words.keys(column))
    if kept_back := words.privacy(column):
        yield "privacy", Text(kept_back, style="magenta")
    if line := words.shown_by(profile, column):
        yield (
            "show it by",
            Text.assemble(
                (line, "cyan"), ("   in linker.yml", "dim"), no_wrap=True, overflow="ignore"
            ),
        )
    if column.l3 is not None:
        yield from _measured(profile, column, column.l3, room)
    edges = profile.joins_of(column.path)
    yield "", ""
    yield (
        "joins",
        Group(*_joins(edges, profile, column.path)) if edges else Text("none known", style="dim"),
    )
    if column.l3 is None:
        yield "measured", Text(words.why_not_scanned(profile), style="yellow")
        return
    yield "measured", Text(words.measured(profile))
    if members := words.members_read(profile):
        yield "", Text(members)


def _measured(
    profile: TableProfile, column: ColumnProfile, statistics: Statistics, room: int
) -> Iterator[Section]:
    rows = profile.statistics.row_count if profile.statistics else None
    nulls = Text()
    if column.l2.null_ratio is not None:
        nulls.append(chart.gauge(column.l2.null_ratio, 20), style="yellow").append("  ")
    yield "nulls", nulls.append(words.nulls(column, rows))
    yield "distinct", Text(_distinct(column, statistics))
    if column.l2.min_length is not None and column.l2.max_length is not None:
        yield "length", Text(_length(column))
    if column.l2.patterns:
        shapes = (
            (words.value(shape.value), shape.count) for shape in column.l2.patterns[:_PATTERNS]
        )
        yield "shapes", Text("   ".join(f"{shape} {count:,}×" for shape, count in shapes))
    yield "", ""
    yield "values", _top_values(column, statistics, room)
    if (
        statistics.min_value is not None
        and statistics.max_value is not None
        and not statistics.quantiles
    ):
        yield (
            "range",
            Text(f"{words.value(statistics.min_value)} … {words.value(statistics.max_value)}"),
        )
    if statistics.quantiles and len(statistics.quantiles) == 21:
        yield "", ""
        yield "quantiles", _quantiles(column, statistics.quantiles, room)
        yield from _histogram(column, statistics, room)
    yield from _spread(column, statistics)


def _distinct(column: ColumnProfile, statistics: Statistics) -> str:
    if column.l2.distinct_count is None:
        return words.distinct(column)
    how = "counted" if column.l2.distinct_is_exact else "estimated"
    share = statistics.uniqueness if (statistics.uniqueness or 0) >= 0.01 else None
    return f"{words.distinct(column)}   {how}" + (
        f"; {percent(share)} of the values" if share is not None else ""
    )


def _length(column: ColumnProfile) -> str:
    unit = {"binary": "bytes", "list": "elements"}.get(column.l1.value_kind, "characters")
    low, high = column.l2.min_length, column.l2.max_length
    return f"{low:,} {unit}" if low == high else f"{low:,} to {high:,} {unit}"


def _top_values(column: ColumnProfile, statistics: Statistics, room: int) -> RenderableType:
    values = column.l2.representative_values
    if not values:
        return Text(words.no_values(column), style="dim")
    if values[0].count == 1:
        return Text(f"each once; for example {words.example_values(column, _TOP_VALUES)}")
    whole = counted_values(column, statistics, values[0].count)
    grid = grid_of(
        Column(max_width=max(12, room // 3), no_wrap=True, overflow="ellipsis"),
        Column(width=max(8, room // 3)),
        Column(justify="right", no_wrap=True),
        Column(justify="right", no_wrap=True, style="dim"),
        Column(no_wrap=True, overflow="ellipsis", style="dim"),
    )
    for value in values[:_TOP_VALUES]:
        share = min(1.0, value.count / whole)
        shown = Text(words.value(value.value))
        grid.add_row(
            shown,
            Text(chart.bar(share, max(8, room // 3)), style="green"),
            percent(share),
            f"{value.count:,}",
            f"in {', '.join(map(spelled, value.members))}" if value.members else "",
        )
    rest = whole - sum(value.count for value in values[:_TOP_VALUES])
    if rest >= 1:
        grid.add_row(Text("all others", style="dim"), "", percent(rest / whole), f"{rest:,.0f}")
    return grid


def counted_values(column: ColumnProfile, statistics: Statistics, highest: int) -> float:
    """
    Count of all values that were counted: those of the sample, by the known share of the most
    frequent one.
    """
    if statistics.top_value_share and column.l2.privacy == "show":
        return highest / statistics.top_value_share
    if not statistics.is_sampled or not statistics.sample_row_count:
        return max(highest, statistics.value_count)
    return max(highest, statistics.sample_row_count * statistics.value_count / statistics.row_count)


def _quantiles(column: ColumnProfile, quantiles: Sequence[float], room: int) -> RenderableType:
    shown = {name: axis_text(column, quantiles[place]) for place, name in _SHOWN_QUANTILES.items()}
    if sum(max(len(name), len(figure)) + 2 for name, figure in shown.items()) > room:
        shown = {name: figure for name, figure in shown.items() if name not in _WHERE_THERE_IS_ROOM}
    grid = grid_of(*(Column(justify="right", overflow="fold") for _ in shown))
    grid.add_row(*(Text(name, style="dim") for name in shown))
    grid.add_row(*shown.values())
    return grid


def axis_text(column: ColumnProfile, value: float) -> str:
    """A figure of a column, or the day that it stands for."""
    kind = column.l1.value_kind
    return (
        moment(value, with_time=False)
        if kind in ("date", "timestamp")
        else words.figure(column, value)
    )


def _histogram(column: ColumnProfile, statistics: Statistics, room: int) -> Iterator[Section]:
    bins = statistics.histogram
    if (
        not bins
        or statistics.quantiles is None
        or statistics.quantiles[0] >= statistics.quantiles[-1]
    ):
        return
    low, high, outside = window(statistics.quantiles)
    width = min(room, 80)
    lines = chart.histogram(bins, low, high, width=width, height=_CHART_HEIGHT)
    if not lines:
        return
    left, right = axis_text(column, low), axis_text(column, high)
    axis = Text(f"{left}{' ' * max(1, width - len(left) - len(right))}{right}", style="dim")
    note = [Text(outside, style="dim")] if outside else []
    yield "", ""
    yield "histogram", Group(*(Text(line or " ", style="blue") for line in lines), axis, *note)


def window(quantiles: Sequence[float]) -> tuple[float, float, str]:
    """
    The range of the chart: all values, or the middle nine tenths where far outliers would flatten
    everything.
    """
    low, high, inner_low, inner_high = quantiles[0], quantiles[-1], quantiles[1], quantiles[-2]
    if inner_low < inner_high and inner_high - inner_low < (high - low) / 8:
        return inner_low, inner_high, "5 % of the values lie below, 5 % above"
    return low, high, ""


def _spread(column: ColumnProfile, statistics: Statistics) -> Iterator[Section]:
    facts = []
    if statistics.mean is not None and column.l1.value_kind in ("integer", "number"):
        facts.append(f"mean {words.figure(column, statistics.mean)}")
        if statistics.deviation is not None:
            facts.append(f"deviation {words.figure(column, statistics.deviation)}")
    if statistics.entropy is not None:
        facts.append(f"entropy {statistics.entropy:.2f} bits")
    if statistics.monotonicity is not None and abs(statistics.monotonicity) >= 0.9:
        facts.append(
            f"{'rises' if statistics.monotonicity > 0 else 'falls'} in the order of storage"
        )
    if facts:
        yield "spread", Text(" · ".join(facts))
    if statistics.first_day and statistics.last_day:
        yield "days", Text(_days(statistics))


def _days(statistics: Statistics) -> str:
    facts = [f"{statistics.first_day} to {statistics.last_day}"]
    if statistics.day_coverage is not None:
        facts.append(f"{percent(statistics.day_coverage)} of the days have a value")
    if statistics.largest_gap_days is not None and statistics.largest_gap_days > 1:
        facts.append(f"longest gap {counted(statistics.largest_gap_days, 'day')}")
    return " · ".join(facts)


def _joins(edges: Sequence[JoinEdge], profile: TableProfile, path: str) -> Iterator[RenderableType]:
    for edge in edges:
        points = edge.source == profile.table.ref and path in edge.from_columns
        columns, table = (edge.to_columns, edge.key) if points else (edge.from_columns, edge.source)
        line = Text("→ " if points else "← ").append(
            words.joined(columns, str(table)), style="green"
        )
        yield line.append(f"   {words.trust(edge)}", style="dim")
        yield indented(Text(one_line(edge.evidence), style="dim"))
