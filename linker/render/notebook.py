"""Results as HTML for notebooks, which needs nothing from outside."""

from functools import cache, partial
from html import escape
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.link.answer import MARKS, LinkedSchema, completeness, measures, no_answer, size_of, why
from linker.render.profile_card import column_card, table_card
from linker.text.commands import completed
from linker.text.numbers import percent
from linker.text.safe import one_line, spelled


def text_html(text: str) -> str:
    """A page of text as it is."""
    return f'<pre style="line-height:1.3">{escape(text)}</pre>'


def schema_html(schema: LinkedSchema) -> str:
    """A linked schema."""
    return str(_macros().linked_schema(schema))


def table_html(profile: TableProfile) -> str:
    """The card of a table."""
    return str(_macros().table_card(table_card(profile)))


def column_html(profile: TableProfile, column: ColumnProfile) -> str:
    """The card of a column, with its values and histogram drawn."""
    return str(_macros().column_card(column_card(profile, column)))


@cache
def _macros() -> Any:  # noqa: ANN401 - the macros of a template are found by name
    jinja = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    shown = (completed, completeness, measures, no_answer, one_line, size_of, spelled, why)
    jinja.filters |= {function.__name__: function for function in shown}
    jinja.filters["percent"] = partial(percent, digits=0)
    jinja.globals["marks"] = MARKS
    template = resources.files("linker.render").joinpath("notebook.html.j2").read_text("utf-8")
    return jinja.from_string(template).module
