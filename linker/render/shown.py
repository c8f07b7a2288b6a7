"""
Results that show themselves, in Python and in notebooks: the records of linker, each with its text
and its HTML, which needs nothing from outside.
"""

from collections.abc import Iterator
from functools import cache, partial
from html import escape
from importlib import resources
from typing import Any, TypeVar

from jinja2 import Environment, StrictUndefined
from msgspec import Struct
from rich.text import Text

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.history.runs import WarehouseDiff
from linker.link.answer import MARKS, LinkedSchema, completeness, measures, no_answer, size_of, why
from linker.link.mschema import JoinedTables
from linker.refresh.status import Status
from linker.render import render, render_answer
from linker.render.card import render_card
from linker.render.page import grid_of, page
from linker.render.profile_card import column_card, table_card
from linker.render.runs import render_changes, render_run, render_runs
from linker.render.status import render_status
from linker.runs import Run
from linker.sql.records import SqlAnswer
from linker.text.commands import completed
from linker.text.numbers import percent
from linker.text.safe import one_line, spelled
from linker.types import Catalog, Hit, Record, TableHit

WIDTH = 100
ShownT = TypeVar("ShownT", bound=Struct)


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


def shown(kind: type[ShownT], record: Struct, **further: Any) -> ShownT:  # noqa: ANN401 - its fields
    """The same record as one that shows itself."""
    return kind(**{name: getattr(record, name) for name in record.__struct_fields__}, **further)


class Shown:
    """A record that shows itself as a page."""

    __slots__ = ()

    def text(self) -> str:
        """The page as text."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return text_html(self.text())


class ShownSchema(Shown, LinkedSchema, frozen=True):
    """A linked schema."""

    def text(self, form: str = "table", *, explain: bool = False) -> str:
        """The answer in one of the forms of `linker ask`."""
        return render(self, form, width=WIDTH, explain=explain)

    def _repr_html_(self) -> str:
        return schema_html(self)


class ShownSql(Shown, SqlAnswer, frozen=True, kw_only=True):
    """An answer in SQL, and the schema that its question was linked to."""

    schema: LinkedSchema

    def text(self) -> str:
        """The answer, or the linked schema and why there is none."""
        page = render_answer(self, self.schema, "table", width=WIDTH)
        return f"{page}\n\n{self.missing}" if self.outcome == "needs_model" else page


class Card(Shown, Record, frozen=True):
    """The profile of a table; of a column, too, where a column was meant."""

    table: TableProfile
    column: ColumnProfile | None

    def text(self, form: str = "table") -> str:
        """The card in one of the forms of `linker show`."""
        return render_card(self.table, self.column, form, width=WIDTH, explain=True)

    def _repr_html_(self) -> str:
        return column_html(self.table, self.column) if self.column else table_html(self.table)


class Found(Shown, Record, frozen=True):
    """Columns and tables that lie near a text, best first."""

    searched: str
    columns: tuple[Hit, ...]
    tables: tuple[TableHit, ...]
    catalog: Catalog

    def text(self) -> str:
        """
        A line for each column: its name, its type, and the value that was named or its description.
        """
        grid = grid_of()
        for hit in self.columns:
            grid.add_row(*self._cells(hit))
        return page([grid], width=WIDTH, color=False)

    def _cells(self, hit: Hit) -> Iterator[Text]:
        column = self.catalog.find(hit.ref)
        yield Text(spelled(hit.ref))
        yield Text(one_line(column.short_type) if column else "")
        yield Text(one_line(str(hit.match) if hit.match else (column and column.description) or ""))


class ShownJoins(Shown, JoinedTables, frozen=True):
    """Joins of tables."""

    def text(self) -> str:
        """A line for each join, and for each table that nothing leads to."""
        lines = [f"{spelled(join)}   {join.reason}; {measures(join)}" for join in self.joins]
        return "\n".join([*lines, *(f"nothing joins {spelled(ref)}" for ref in self.apart)])


class ShownStatus(Shown, Status, frozen=True):
    """How current a target is."""

    def text(self) -> str:
        """The page of `linker status`."""
        return render_status(self, width=WIDTH, color=False)


class ShownRun(Shown, Run, frozen=True):
    """One run."""

    def text(self) -> str:
        """The page of `linker runs` with a number."""
        return render_run(self, width=WIDTH, color=False)


class Runs(Shown, tuple[Run, ...]):
    """Runs, the newest first."""

    __slots__ = ()

    def text(self) -> str:
        """The page of `linker runs`."""
        return render_runs(self, width=WIDTH, color=False)


class ShownDiff(Shown, WarehouseDiff, frozen=True):
    """What changed between two runs."""

    def text(self) -> str:
        """The page of `linker diff`."""
        return render_changes(self, width=WIDTH, color=False)
