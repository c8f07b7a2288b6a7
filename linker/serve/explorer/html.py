"""
Writes pages: enter a template and what it shows, leaves HTML in which every text of the warehouse
is only text.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import resources

from jinja2 import Environment as Jinja
from jinja2 import PackageLoader, StrictUndefined
from markupsafe import Markup

from linker.link.answer import (
    MARKS,
    completeness,
    evidence_lines,
    measures,
    no_answer,
    size_of,
    standing,
    why,
)
from linker.render.changes import column_lines, comparison_summary, table_line
from linker.render.page import spent
from linker.render.runs import length_text, moment, run_line
from linker.serve.explorer import places
from linker.serve.explorer.drawing import pairs_of
from linker.text.commands import completed, pasted
from linker.text.numbers import age_text, counted, percent
from linker.text.safe import lines_of, one_line, spelled

_PACKAGE = "linker.serve.explorer"
FILES = {"style.css": "text/css", "icon.svg": "image/svg+xml"}


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
        run_line,
        size_of,
        spelled,
        spent,
        standing,
        table_line,
        why,
        places.schema_place,
        places.table_place,
        places.joins_place,
        places.column_place,
    ]
    jinja.filters |= {function.__name__: function for function in shown}
    jinja.filters["ago"] = _ago
    jinja.globals |= {"marks": MARKS, "numbered": places.numbered, "pasted": pasted}
    return jinja


def _visible(value: object) -> object:
    """A text without marks that reorder or hide what is read; markup is our own."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else lines_of(value)


def _ago(when: datetime | None) -> str:
    return f"{age_text(datetime.now(UTC) - when)} ago" if when else "never"


def page(template: str, place: str, **shown: object) -> str:
    """A page; its links lead from its place over the root."""
    return _jinja().get_template(f"{template}.html.j2").render(_frame(place), **shown)


def growing_page(template: str, place: str, **shown: object) -> Iterator[str]:
    """A page piece by piece, as what it shows comes in."""
    return _jinja().get_template(f"{template}.html.j2").generate(_frame(place), **shown)


def _frame(place: str) -> dict[str, object]:
    return {"root": "../" * place.count("/"), "place": place}


def file(name: str) -> bytes:
    """One of the files that all pages need."""
    return resources.files(_PACKAGE).joinpath("static", name).read_bytes()
