"""
Profile cards of tables and columns as text or versioned JSON.

In JSON, null means not measured; `privacy`, `scanned_at` and `not_scanned` say why. A table's
distributions, patterns and join evidence appear only in the detailed form.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from linker.catalog.profile import ColumnProfile, TableProfile, shown_part
from linker.linking.result import size_of
from linker.output import as_json
from linker.output.layout import facts_grid, grid_of, indented, page
from linker.output.profile_card import (
    ColumnCard,
    Fact,
    TableCard,
    ValueShare,
    bar,
    column_card,
    gauge,
    histogram,
    table_card,
    why_not_scanned,
)
from linker.text.commands import completed
from linker.text.escaping import escape_invisible, one_line
from linker.text.numbers import percent
from linker.types import as_dict

# Raise if a field is removed or changes meaning.
VERSION = 2
_SHORT_VALUES = 5
_MAX_VALUES = 25

_LABEL = 12
_CHART_HEIGHT = 4
_WIDEST_CHART = 80
_NULL_BAR = 5
_LONG_NULL_BAR = 20
# Below this width numbers are abbreviated to leave room for examples.
_NARROW = 100
# Below this width types and bars are omitted.
_SLIM = 72
# Quantiles omitted if narrow.
_SPARE_QUANTILES = ("5 %", "95 %")
_STYLES = {"privacy": "magenta", "show it by": "cyan"}
# Preceded by a blank line.
_APART = ("values", "quantiles", "histogram", "joins")
_Row = tuple[str, RenderableType]


def render_card(
    profile: TableProfile,
    column: ColumnProfile | None,
    form: str,
    *,
    width: int = 100,
    color: bool = False,
    explain: bool = False,
) -> str:
    """The card of a column, by default of the table."""
    if form == "json":
        return _column_json(profile, column) if column else _table_json(profile, explain=explain)

    if column is None:
        return table_page(table_card(profile), width=width, color=color)
    return column_page(column_card(profile, column), width=width, color=color)


def _table_json(profile: TableProfile, *, explain: bool) -> str:
    """
    A table with columns and joins; the short form is one line without L3, shapes and evidence, with
    first values.
    """
    columns, joins = [*map(_column, profile.columns)], [*map(as_dict, profile.joins)]
    if not explain:
        for column in columns:
            semantics = column["l2"]
            semantics["representative_values"] = (semantics["representative_values"] or ())[
                :_SHORT_VALUES
            ] or None
            del column["l3"], semantics["patterns"]
        for join in joins:
            del join["evidence"]
    record = {**_table(profile), "columns": columns, "joins": joins}
    return as_json(record, is_short=not explain)


def _column_json(profile: TableProfile, column: ColumnProfile) -> str:
    """A column with its joins."""
    joins = map(as_dict, profile.joins_of(column.path))
    return as_json({**_table(profile), "column": _column(column), "joins": [*joins]})


def _table(profile: TableProfile) -> dict[str, Any]:
    from linker.output.json import FamilyRecord

    table, family = profile.table, None
    if table.family:
        family = FamilyRecord.model_validate(table.family).model_dump()
        family["members_read"] = table.family.members_read
    return {
        "version": VERSION,
        "schema": table.ref.schema,
        "name": table.ref.name,
        "kind": table.kind,
        "description": table.description,
        "row_count_estimate": table.row_count_estimate,
        "family": family,
        "siblings": table.siblings,
        "not_scanned": None if profile.statistics else completed(why_not_scanned(profile)),
    }


def _column(column: ColumnProfile) -> dict[str, Any]:
    """The levels, with field names of the profile tables."""
    record = as_dict(shown_part(column))
    semantics, figures = record["l2"], record["l3"] or {}
    values = semantics["representative_values"]
    semantics["representative_values"] = values and values[:_MAX_VALUES]
    for value in (*(semantics["representative_values"] or ()), *(semantics["patterns"] or ())):
        if not value["members"]:
            del value["members"]
    for part in figures.get("histogram") or ():
        share = part.pop("share")
        part |= {"from": part.pop("start"), "to": part.pop("end"), "share": share}
    return record


def column_page(card: ColumnCard, *, width: int, color: bool) -> str:
    """A column's card."""
    heading = Text(escape_invisible(card.ref), style="bold cyan")
    heading.append(f"   {card.type} · {card.category}", style="not bold dim")
    description = Text(f"  {card.description or 'no description'}", style="italic")
    if card.origin:
        description.append(f"   ({card.origin})", style="not italic dim")
    rows = list[_Row]()
    for fact in card.facts:
        if fact.name in _APART:
            rows.append(("", ""))
        rows.append(_drawn(card, fact, width - _LABEL - 2) or _row(fact))
    facts = facts_grid(rows, label_width=_LABEL)
    return page([heading, description, "", facts], width=width, color=color)


def table_page(card: TableCard, *, width: int, color: bool) -> str:
    """A table's card: a line per column, and facts about the table."""
    heading = Text(escape_invisible(card.table.ref), style="bold cyan")
    heading.append(f"   {size_of(card.table)}", style="not bold dim")
    about = one_line(card.table.description or "")
    description = [Text(f"  {about}", style="italic")] if about else []
    columns = _columns(card, width) if card.columns else Text("  no columns", style="yellow")
    facts = facts_grid(map(_row, card.facts), label_width=_LABEL)
    return page([heading, *description, columns, "", facts], width=width, color=color)


def _row(fact: Fact) -> _Row:
    style = _STYLES.get(fact.name, "")
    return f"  {fact.name}", Group(*(_line(*line, style) for line in fact.lines))


def _line(text: str, remark: str, style: str = "") -> RenderableType:
    aside = Text(f"   {remark}" if text and remark else remark, style="dim")
    return Text(text, style=style).append_text(aside) if text else indented(aside)


def _drawn(card: ColumnCard, fact: Fact, room: int) -> _Row | None:
    """A fact drawn as bars."""
    drawn: RenderableType | None = None
    if fact.name == "nulls" and card.null_ratio is not None:
        filled = Text(f"{gauge(card.null_ratio, _LONG_NULL_BAR)}  ", style="yellow")
        drawn = filled.append("   ".join(fact.lines[0]), style="default")
    elif fact.name == "values" and card.values:
        drawn = _values(card.values, room)
    elif fact.name == "quantiles":
        drawn = _quantiles(card.quantiles, room)
    elif fact.name == "histogram":
        drawn = _histogram(card, min(room, _WIDEST_CHART))
    return (f"  {fact.name}", drawn) if drawn else None


def _values(values: Iterable[ValueShare], room: int) -> Grid:
    third = room // 3
    grid = grid_of(
        Column(max_width=max(12, third), no_wrap=True, overflow="ellipsis"),
        Column(width=max(8, third)),
        Column(justify="right", no_wrap=True),
        Column(justify="right", no_wrap=True, style="dim"),
        Column(no_wrap=True, overflow="ellipsis", style="dim"),
    )
    for value in values:
        filled = "" if value.is_rest else bar(value.share, max(8, third))
        members = f"in {value.members}" if value.members else ""
        text = Text(value.text, style="dim" if value.is_rest else "")
        share, count = percent(value.share), f"{value.count:,.0f}"
        grid.add_row(text, Text(filled, style="green"), share, count, members)
    return grid


def _quantiles(quantiles: Mapping[str, str], room: int) -> Grid:
    shown = dict(quantiles)
    if sum(max(len(name), len(figure)) + 2 for name, figure in shown.items()) > room:
        shown = {name: figure for name, figure in shown.items() if name not in _SPARE_QUANTILES}
    grid = grid_of(*(Column(justify="right", overflow="fold") for _ in shown))
    grid.add_row(*(Text(name, style="dim") for name in shown))
    grid.add_row(*shown.values())
    return grid


def _histogram(card: ColumnCard, width: int) -> Group:
    drawn = card.histogram(width)
    if drawn is None:
        return Group()
    lines = [Text(line or " ", "blue") for line in histogram(drawn.heights, _CHART_HEIGHT)]
    gap = " " * max(1, width - len(drawn.low) - len(drawn.high))
    lines.append(Text(f"{drawn.low}{gap}{drawn.high}", style="dim"))
    if drawn.outside:
        lines.append(Text(drawn.outside, style="dim"))
    return Group(*lines)


def _columns(card: TableCard, width: int) -> RenderableType:
    is_narrow, is_slim = width < _NARROW, card.is_scanned and width < _SLIM
    heads = [
        Column("column", overflow="fold", max_width=18 if is_narrow else max(24, width // 4)),
        Column("type", no_wrap=True, overflow="ellipsis", max_width=9 if is_narrow else 18),
        Column("category", no_wrap=True),
    ]
    if card.is_scanned:
        heads += [
            Column("null", no_wrap=True),
            Column("distinct", justify="right", no_wrap=True),
            Column("examples", ratio=1, no_wrap=True, overflow="ellipsis"),
        ]
    else:
        heads.append(Column("description", ratio=1, overflow="fold"))
    if is_slim:
        del heads[1]
    table = Grid(
        *heads,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        expand=True,
        padding=(0, 1, 0, 0),
    )
    for column in card.columns:
        cells = _cells(column, is_scanned=card.is_scanned, is_narrow=is_narrow, is_slim=is_slim)
        if is_slim:
            del cells[1]
        table.add_row(*cells)
    return indented(table)


def _cells(column: ColumnCard, *, is_scanned: bool, is_narrow: bool, is_slim: bool) -> list[Text]:
    category = Text(column.category).append(f" {column.role}" if column.role else "", "bold yellow")
    cells = [Text(column.name, style="green"), Text(column.type, style="dim"), category]
    if not is_scanned:
        return [*cells, Text(column.description)]
    null = Text(column.nulls(0 if is_narrow else 1))
    if column.null_ratio is not None:
        null.pad_left((6 if is_narrow else 8) - len(null))
        if not is_slim:
            filled = gauge(column.null_ratio, _NULL_BAR - 2 * is_narrow)
            null = Text(filled, style="yellow" if column.null_ratio else "dim").append_text(null)
    examples = Text(column.examples(), style="dim" if column.no_values else "")
    return [*cells, null, Text(column.distinct(is_short=is_narrow)), examples]
