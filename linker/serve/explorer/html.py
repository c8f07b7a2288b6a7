"""
Renders pages from autoescaped templates, their URLs on a server and as files, and the join graph as
SVG.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import resources

from jinja2 import Environment as Jinja
from jinja2 import PackageLoader, StrictUndefined
from markupsafe import Markup

from linker.catalog.profile import JoinEdge
from linker.catalog.snapshot import ProfiledCatalog
from linker.linking.result import (
    MARKS,
    LinkedSchema,
    completeness,
    evidence_lines,
    measures,
    no_answer,
    relevance,
    size_of,
    standing,
    why,
)
from linker.output import render
from linker.output.layout import spent
from linker.output.runs import (
    column_lines,
    comparison_summary,
    length_text,
    moment,
    run_line,
    table_change_text,
)
from linker.serve.explorer.answers import (
    MAX_COLUMNS,
    ranked_columns,
    starting_sql,
    tables_of,
)
from linker.serve.explorer.diagrams import Diagram, diagram
from linker.text.commands import completed, pasted
from linker.text.escaping import escape_invisible, lines_of, one_line, shortened
from linker.text.numbers import age_text, counted, percent
from linker.types import Record, TableRef

_LONGEST = 80
_UNSAFE_IN_URLS = re.compile(r"[^A-Za-z0-9_-]")

# Larger graphs are illegible; the table below lists all.
MAX_NEIGHBOURS = 24
_BOX = 34
_GAP = 14
_WIDTH = 230
_MARGIN = 150
_LONGEST_NAME = 28
_SURE = 0.9

_PACKAGE = "linker.serve.explorer"
FILES = {
    "style.css": "text/css",
    "icon.svg": "image/svg+xml",
    "explorer.js": "text/javascript",
}


def slug(name: str) -> str:
    """A name for URLs and files: letters, digits, - and _; a digest ends a long one."""
    written = _UNSAFE_IN_URLS.sub(lambda letter: f"~{ord(letter[0]):x}~", name)
    if len(written) <= _LONGEST:
        return written
    return (
        f"{written[:_LONGEST]}~~"
        f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    )


def numbered(name: str, page: int) -> str:
    """File name of a page of a list."""
    return f"{name}.html" if page == 1 else f"{name}.{page}.html"


def schema_url(schema: str) -> str:
    """URL of a schema."""
    return f"schemas/{slug(schema)}"


def table_url(ref: TableRef) -> str:
    """URL of a table."""
    return f"tables/{slug(ref.schema)}/{slug(ref.name)}"


def joins_url(ref: TableRef) -> str:
    """URL of a table's joins."""
    return f"joins/{slug(ref.schema)}/{slug(ref.name)}"


def column_url(ref: TableRef, path: str) -> str:
    """URL of a column."""
    return f"{table_url(ref)}/{slug(path)}"


def schemas_by_slug(profiled: ProfiledCatalog) -> dict[str, str]:
    """Schemas by URL segment."""
    return {slug(table.ref.schema): table.ref.schema for table in profiled.catalog.tables}


def tables_by_slugs(profiled: ProfiledCatalog) -> dict[tuple[str, str], TableRef]:
    """Tables by their two URL segments."""
    return {
        (slug(table.ref.schema), slug(table.ref.name)): table.ref
        for table in profiled.catalog.tables
    }


class Box(Record, frozen=True):
    """A table with the position of its box, and its number of joins."""

    ref: TableRef
    label: str
    x: int
    y: int
    joins: int


class Line(Record, frozen=True):
    """An edge between boxes, with a tooltip."""

    path: str
    text: str
    is_sure: bool


class JoinGraph(Record, frozen=True):
    """A table in the centre, referencing tables on the left, referenced ones on the right."""

    width: int
    height: int
    box_width: int
    box_height: int
    centre: Box
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    left_out: int


def join_graph(ref: TableRef, joins: Sequence[JoinEdge]) -> JoinGraph:
    """The joins of a table, most confident first."""
    pointing: dict[TableRef, list[JoinEdge]] = {}
    pointed: dict[TableRef, list[JoinEdge]] = {}
    for edge in joins:
        side, other = (pointed, edge.key) if edge.source == ref else (pointing, edge.source)
        if other != ref:
            side.setdefault(other, []).append(edge)
    half = MAX_NEIGHBOURS // 2
    most = (MAX_NEIGHBOURS - min(len(pointed), half), MAX_NEIGHBOURS - min(len(pointing), half))
    sides = (dict(list(pointing.items())[: most[0]]), dict(list(pointed.items())[: most[1]]))
    rows = max(1, *map(len, sides))
    height = rows * (_BOX + _GAP) - _GAP
    centre = Box(ref, _label(ref, ref), _WIDTH + _MARGIN, (height - _BOX) // 2, len(joins))
    boxes, lines = list[Box](), list[Line]()
    for number, side in enumerate(sides):
        top = (height - len(side) * (_BOX + _GAP) + _GAP) // 2
        for row, (other, edges) in enumerate(side.items()):
            box = Box(
                other,
                _label(other, ref),
                number * 2 * (_WIDTH + _MARGIN),
                top + row * (_BOX + _GAP),
                len(edges),
            )
            boxes.append(box)
            start, end = (centre, box) if number else (box, centre)
            text = "; ".join(f"{pairs_of(edge)}: {edge.evidence}" for edge in edges)
            lines.append(Line(_curve(start, end), text, edges[0].confidence >= _SURE))
    left_out = len(pointing) + len(pointed) - len(boxes)
    return JoinGraph(
        3 * _WIDTH + 2 * _MARGIN, height, _WIDTH, _BOX, centre, tuple(boxes), tuple(lines), left_out
    )


def cut_short(name: str) -> str:
    """A name truncated to the box."""
    return shortened(escape_invisible(name), _LONGEST_NAME)


def drawn(schema: LinkedSchema) -> Diagram:
    """Tables and joins of an answer."""
    return diagram([linked.table.ref for linked in schema.tables], schema.joins)


def pairs_of(edge: JoinEdge) -> str:
    """Column pairs of a join."""
    pairs = zip(edge.from_columns, edge.to_columns, strict=True)
    return " and ".join(
        f"{escape_invisible(left)} = {escape_invisible(right)}" for left, right in pairs
    )


def _label(ref: TableRef, other: TableRef) -> str:
    return shortened(
        escape_invisible(ref.name if ref.schema == other.schema else ref), _LONGEST_NAME
    )


def _curve(start: Box, end: Box) -> str:
    left, right = start.x + _WIDTH, end.x
    middle, above, below = (left + right) // 2, start.y + _BOX // 2, end.y + _BOX // 2
    return f"M{left} {above}C{middle} {above} {middle} {below} {right} {below}"


@cache
def _jinja() -> Jinja:
    jinja = Jinja(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = [
        age_text,
        column_lines,
        comparison_summary,
        completed,
        completeness,
        counted,
        evidence_lines,
        length_text,
        lines_of,
        measures,
        moment,
        no_answer,
        one_line,
        pairs_of,
        percent,
        relevance,
        run_line,
        size_of,
        escape_invisible,
        spent,
        standing,
        table_change_text,
        why,
        cut_short,
        drawn,
        ranked_columns,
        render,
        starting_sql,
        tables_of,
        schema_url,
        table_url,
        joins_url,
        column_url,
    ]
    jinja.filters |= {function.__name__: function for function in shown}
    jinja.filters["ago"] = _ago
    jinja.globals |= {
        "marks": MARKS,
        "most_columns": MAX_COLUMNS,
        "numbered": numbered,
        "pasted": pasted,
    }
    return jinja


def _visible(value: object) -> object:
    """Text with invisible and bidirectional characters escaped; our own markup is kept."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else lines_of(value)


def _ago(when: datetime | None) -> str:
    return f"{age_text(datetime.now(UTC) - when)} ago" if when else "never"


def page(template: str, url: str, **shown: object) -> str:
    """A page; links are relative to its URL."""
    return _jinja().get_template(f"{template}.html.j2").render(_frame(url), **shown)


def growing_page(template: str, url: str, **shown: object) -> Iterator[str]:
    """A page, streamed."""
    return _jinja().get_template(f"{template}.html.j2").generate(_frame(url), **shown)


def _frame(url: str) -> dict[str, object]:
    return {"root": "../" * url.count("/"), "place": url}


def file(name: str) -> bytes:
    """A static asset."""
    return resources.files(_PACKAGE).joinpath("static", name).read_bytes()
