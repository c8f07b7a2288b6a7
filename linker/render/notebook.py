"""
Results as HTML for notebooks: enter the records that pages show, leaves markup that needs nothing
from outside.
"""

from collections.abc import Iterator
from functools import cache, partial
from html import escape
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.link.answer import LinkedSchema
from linker.link.phrases import MARKS, completeness, measures, no_answer, size_of, why
from linker.render import chart, words
from linker.render.column_card import axis_text, counted_values, sections, window
from linker.render.table_card import cells_of
from linker.render.table_card import sections as table_sections
from linker.text.commands import completed
from linker.text.numbers import percent
from linker.text.safe import one_line, spelled
from linker.types import ColumnRef, Record

_VALUES = 10
_BARS = 60
# What is drawn here in another way.
_DRAWN = ("histogram", "nulls")

Facts = list[tuple[str, list[str]]]


class BarChart(Record, frozen=True):
    """Heights of bars from 0 to 1, the ends of their axis, and what lies outside."""

    heights: tuple[float, ...]
    low: str
    high: str
    outside: str


def text_html(text: str) -> str:
    """A page of text as it is."""
    return f'<pre style="line-height:1.3">{escape(text)}</pre>'


def schema_html(schema: LinkedSchema) -> str:
    """A linked schema."""
    return str(_macros().linked_schema(schema))


def table_html(profile: TableProfile) -> str:
    """The card of a table."""
    is_scanned = profile.statistics is not None
    rows = [
        [
            cell.plain.strip(" ░█")
            for cell in cells_of(profile, column, scanned=is_scanned, narrow=False)
        ]
        for column in profile.columns
    ]
    return str(_macros().table_card(profile, rows, known_facts(table_sections(profile))))


def column_html(profile: TableProfile, column: ColumnProfile) -> str:
    """The card of a column, with its values and histogram drawn."""
    name = spelled(ColumnRef(profile.table.ref, column.path))
    short_type = one_line(profile.table.column_by_path[column.path].short_type)
    rows = profile.statistics.row_count if profile.statistics else None
    nulls = [("nulls", [words.nulls(column, rows)])]
    known = nulls + known_facts(
        section for section in sections(profile, column, _BARS) if section[0] not in _DRAWN
    )
    return str(
        _macros().column_card(
            name, column, short_type, known, frequent_values(column), bar_chart(column)
        )
    )


@cache
def _macros() -> Any:  # noqa: ANN401 - the macros of a template are found by name
    jinja = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    shown = (completeness, measures, no_answer, one_line, size_of, spelled, why)
    jinja.filters |= {function.__name__: function for function in shown}
    jinja.filters |= {
        "percent": partial(percent, digits=0),
        "lines": lambda text: Markup("<br>").join(text.splitlines()),
    }
    jinja.globals["marks"] = MARKS
    return jinja.from_string(
        resources.files("linker.render").joinpath("notebook.html.j2").read_text("utf-8")
    ).module


def known_facts(parts: Iterator[tuple[str, RenderableType]]) -> Facts:
    """What is said in plain text, by its name; blank lines and drawings are left out."""
    found: Facts = []
    for name, part in parts:
        lines = [completed(line) for line in _plain(part) if line.strip()]
        if lines and not name and found:
            found[-1][1].extend(lines)
        elif lines:
            found.append((name.strip(), lines))
    return found


def _plain(part: RenderableType) -> Iterator[str]:
    if isinstance(part, Text):
        yield part.plain
    elif isinstance(part, Group):
        for inner in part.renderables:
            yield from _plain(inner)
    elif isinstance(part, Padding):
        yield from _plain(part.renderable)


def frequent_values(column: ColumnProfile) -> list[tuple[str, float]]:
    """The most frequent values with their share, where one comes more than once."""
    values = column.l2.representative_values
    if not values or column.l3 is None or values[0].count == 1:
        return []
    whole = counted_values(column, column.l3, values[0].count)
    return [(words.value(value.value), min(1.0, value.count / whole)) for value in values[:_VALUES]]


def bar_chart(column: ColumnProfile, bars: int = _BARS) -> BarChart | None:
    """The histogram of a column, if it has one."""
    statistics = column.l3
    if not statistics or not statistics.histogram or not statistics.quantiles:
        return None
    low, high, outside = window(statistics.quantiles)
    cells = chart.spread(statistics.histogram, low, high, bars)
    peak = max(cells)
    if peak <= 0:
        return None
    ends = axis_text(column, low), axis_text(column, high)
    return BarChart(tuple(cell / peak for cell in cells), *ends, outside)
