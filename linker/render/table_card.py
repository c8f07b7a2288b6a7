"""
The card of one logical table: enters its profile, leaves one line a column and what is known of the
whole.
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from linker.catalog.profile import ColumnProfile, JoinEdge, TableProfile
from linker.render import chart, words
from linker.render.page import facts_grid, indented, page
from linker.text.numbers import counted, percent, short_count
from linker.text.safe import one_line, spelled
from linker.types import Table

_LABEL = 10
_NULL_BAR = 5
_EXAMPLES = 5
# Below this width figures are shortened, so that there is room for examples.
_NARROW = 100
# Below this one the type and the bars are left out: no figure is cut.
_SLIM = 72


def render_table_card(profile: TableProfile, *, width: int, color: bool) -> str:
    """The card in `width` characters."""
    table = profile.table
    heading = Text(spelled(table.ref), style="bold cyan").append(
        f"   {_size(table)}", style="not bold dim"
    )
    description = (
        [Text(f"  {one_line(table.description)}", style="italic")] if table.description else []
    )
    facts = facts_grid(
        ((f"  {label}", content) for label, content in sections(profile)), label_width=_LABEL + 2
    )
    return page(
        [heading, *description, _columns(profile, width), "", facts], width=width, color=color
    )


def _size(table: Table) -> str:
    kind = (
        f"family of {counted(len(table.family.members), 'table')}" if table.family else table.kind
    )
    rows = table.row_count_estimate
    return kind if rows is None else f"{kind} · {counted(rows, 'row')}"


def _columns(profile: TableProfile, width: int) -> RenderableType:
    if not profile.columns:
        return Text("  no columns", style="yellow")
    narrow = width < _NARROW
    scanned = profile.statistics is not None
    rows = [cells_of(profile, column, scanned=scanned, narrow=narrow) for column in profile.columns]
    if is_slim := scanned and width < _SLIM:
        for cells in rows:
            cells[3] = Text(cells[3].plain.strip(" ░█"), justify="right")
    table = Grid(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True, padding=(0, 1, 0, 0)
    )
    widest = [max(cell.cell_len for cell in cells) for cells in zip(*rows, strict=True)]
    table.add_column(
        "column",
        overflow="fold",
        width=min(max(6, widest[0]), 18 if narrow else max(24, width // 4)),
    )
    if not is_slim:
        table.add_column(
            "type",
            no_wrap=True,
            overflow="ellipsis",
            width=min(max(4, widest[1]), 9 if narrow else 18),
        )
    table.add_column("category", width=max(8, widest[2]))
    if scanned:
        table.add_column("null", width=widest[3], no_wrap=True)
        table.add_column("distinct", justify="right", width=max(8, widest[4]), no_wrap=True)
        table.add_column("examples", ratio=1, no_wrap=True, overflow="ellipsis")
    else:
        table.add_column("description", ratio=1, overflow="fold")
    for cells in rows:
        table.add_row(cells[0], *cells[1 + is_slim :])
    return indented(table)


def cells_of(
    profile: TableProfile, column: ColumnProfile, *, scanned: bool, narrow: bool
) -> list[Text]:
    """A column in cells: name, type, category, nulls, distinct values, examples."""
    short_type = profile.table.column_by_path[column.path].short_type
    cells = [
        Text(spelled(column.path), style="green"),
        Text(one_line(short_type), style="dim"),
        _category(column),
    ]
    if not scanned:
        return [*cells, Text(one_line(column.l2.description or ""))]
    if column.l3 is None:
        return [*cells, Text("not scanned", style="yellow"), Text(""), Text("")]
    return [
        *cells,
        _null(column, narrow=narrow),
        Text(_distinct(column, narrow=narrow)),
        _examples(column),
    ]


def _category(column: ColumnProfile) -> Text:
    text = Text(column.l1.category.replace("_", " "))
    if column.l1.primary_key_origin:
        text.append(" pk", style="bold yellow")
    if column.l1.foreign_key_origin and column.l1.category != "foreign_key":
        text.append(" fk", style="yellow")
    return text


def _null(column: ColumnProfile, *, narrow: bool) -> Text:
    ratio = column.l2.null_ratio
    if ratio is None:
        return Text("not read" if column.l2.privacy in words.UNREAD else "no rows", style="dim")
    share = f"{percent(ratio, digits=0):>6}" if narrow else f"{percent(ratio):>8}"
    bar = chart.gauge(ratio, _NULL_BAR - 2 if narrow else _NULL_BAR)
    return Text(bar, style="yellow" if ratio else "dim").append(share, style="not dim default")


def _distinct(column: ColumnProfile, *, narrow: bool) -> str:
    if column.l2.distinct_count is None:
        return {"hide": "hidden", **dict.fromkeys(words.UNREAD, "not read")}.get(
            column.l2.privacy or "", "unknown"
        )
    count = column.l2.distinct_count
    return ("" if column.l2.distinct_is_exact else "~") + (
        short_count(count) if narrow else f"{count:,}"
    )


def _examples(column: ColumnProfile) -> Text:
    text = Text(words.example_values(column, _EXAMPLES))
    if column.l2.privacy == "mask" and column.l2.representative_values:
        return Text("masked: ", style="magenta").append(text)
    if not column.l2.representative_values:
        text.stylize("magenta" if column.l2.privacy == "hide" else "dim")
    return text


def sections(profile: TableProfile) -> Iterator[tuple[str, RenderableType]]:
    """All that is known of a table besides its columns, each with its name."""
    family = profile.table.family
    if family:
        newest = "" if family.is_snapshots else f"; the newest is {spelled(family.representative)}"
        yield "family", Text(f"{one_line(str(family))}{newest}")
        if members := words.members_read(profile):
            yield "", Text(members)
    if siblings := profile.table.siblings:
        yield (
            "siblings",
            Text(f"same columns, other meaning: {', '.join(spelled(name) for name in siblings)}"),
        )
    if profile.table.schemas:
        yield "schemas", Text(one_line(profile.table.schemas))
    ref = profile.table.ref
    out = [edge for edge in profile.joins if edge.source == ref]
    into = [edge for edge in profile.joins if edge.key == ref]
    yield "joins out", _joins(out)
    yield "joins in", _joins(into)
    yield "scanned", Text(words.measured(profile), style="" if profile.statistics else "yellow")
    if kept_back := list(_kept_back(profile.columns)):
        yield "privacy", Text("; ".join(kept_back), style="magenta")


def _joins(edges: Sequence[JoinEdge]) -> RenderableType:
    if not edges:
        return Text("none known", style="dim")
    lines = []
    for edge in edges:
        line = Text(words.joined(edge.from_columns, str(edge.source)), style="green").append(
            " → ", style="default"
        )
        line.append(words.joined(edge.to_columns, str(edge.key))).append(
            f"   {words.trust(edge)}", style="dim"
        )
        lines.append(line)
    return Group(*lines)


def _kept_back(columns: Sequence[ColumnProfile]) -> Iterator[str]:
    for privacy, word in (("mask", "masked"), ("hide", "hidden"), *words.UNREAD.items()):
        names = [spelled(column.path) for column in columns if column.l2.privacy == privacy]
        if names:
            yield f"{word}: {', '.join(names)}"
