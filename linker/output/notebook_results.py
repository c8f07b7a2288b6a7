"""
Results for Python and notebooks: records with text, HTML without external resources, JSON and data
frame.

Neither pandas nor polars is a dependency.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from html import escape
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, TypeVar

from jinja2 import Environment, StrictUndefined
from msgspec import Struct
from rich.text import Text

from linker.catalog.profile import ColumnProfile, TableProfile
from linker.errors import ConfigError
from linker.history.runs import WarehouseDiff
from linker.linking.mschema import JoinedTables
from linker.linking.result import (
    MARKS,
    LinkedSchema,
    completeness,
    measures,
    no_answer,
    size_of,
    why,
)
from linker.output import render, render_answer
from linker.output.card import render_card
from linker.output.json import JoinRecord, joins_json, search_json
from linker.output.layout import grid_of, page
from linker.output.profile_card import column_card, table_card
from linker.output.runs import (
    column_lines,
    render_changes,
    render_changes_json,
    render_run,
    render_runs,
    render_runs_json,
    run_json,
    run_record,
    table_change_text,
)
from linker.output.status import render_status, schema_record, status_json
from linker.output.table import render_table
from linker.refresh.status import Status
from linker.sql import SqlAnswer
from linker.text.commands import completed
from linker.text.escaping import escape_invisible, one_line
from linker.text.numbers import percent
from linker.types import Catalog, Hit, Record, Run, TableHit

if TYPE_CHECKING:
    import pandas
    import polars


WIDTH = 100
ShownT = TypeVar("ShownT", bound=Struct)


class Frame(Record, frozen=True):
    """Column names and rows of plain values."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def create(cls, names: Iterable[str], records: Iterable[Mapping[str, Any]]) -> "Frame":
        names = tuple(names)
        rows: list[tuple[Any, ...]] = []
        for record in records:
            rows.append(tuple(map(record.__getitem__, names)))
        return cls(names, tuple(rows))


def to_pandas(frame: Frame) -> "pandas.DataFrame":
    """As pandas."""
    made: pandas.DataFrame = _library("pandas").DataFrame(frame.rows, columns=distinct(frame.names))
    return made


def to_polars(frame: Frame) -> "polars.DataFrame":
    """As polars; a column's type follows from all values."""
    library = _library("polars")
    columns = []
    for index, name in enumerate(distinct(frame.names)):
        values = [row[index] for row in frame.rows]
        columns.append(library.Series(name, values, strict=False))
    made: polars.DataFrame = library.DataFrame(columns)
    return made


def distinct(names: Iterable[str]) -> list[str]:
    """Unique names; repeated ones are numbered."""
    unique = dict[str, None]()
    for name in names:
        number, free = 1, name
        while free in unique:
            number += 1
            free = f"{name}_{number}"
        unique[free] = None
    return [*unique]


def _library(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise ConfigError(f"{name} is not installed", hint=f"pip install {name}") from None


def text_html(text: str) -> str:
    """Preformatted text."""
    return f'<pre style="line-height:1.3">{escape(text)}</pre>'


def schema_html(schema: LinkedSchema) -> str:
    return str(_macros().linked_schema(schema))


def table_html(profile: TableProfile) -> str:
    return str(_macros().table_card(table_card(profile)))


def column_html(profile: TableProfile, column: ColumnProfile) -> str:
    """A column's card with values and histogram as SVG."""
    return str(_macros().column_card(column_card(profile, column)))


@cache
def _macros() -> Any:  # noqa: ANN401 - the macros of a template are found by name
    jinja = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    shown = (completed, completeness, measures, no_answer, one_line, size_of, escape_invisible, why)
    jinja.filters |= {function.__name__: function for function in shown}
    jinja.filters["percent"] = partial(percent, digits=0)
    jinja.globals["marks"] = MARKS
    template = resources.files("linker.output").joinpath("notebook.html.j2").read_text("utf-8")
    return jinja.from_string(template).module


def shown(kind: type[ShownT], record: Struct, **further: Any) -> ShownT:  # noqa: ANN401 - its fields
    """The record as its displayable subclass."""
    return kind(**{name: getattr(record, name) for name in record.__struct_fields__}, **further)


# Of a run and a schema that is current or not, what is a number, a time or a word.
_OF_RUN = (
    "number",
    "kind",
    "outcome",
    "started_at",
    "ended_at",
    "seconds",
    "planned",
    "scanned",
    "unchanged",
    "failed",
    "rows_read",
    "embedded",
    "removed",
)
_OF_STATUS = (
    "schema",
    "last_refresh",
    "last_scan",
    "tables",
    "covered",
    "changed",
    "failed",
    "hidden_columns",
    "masked_columns",
    "excluded_columns",
    "in_step",
)


class Shown:
    """A record that renders itself and converts to a document or data frame."""

    __slots__ = ()

    def text(self) -> str:
        """As printed on a terminal."""
        raise NotImplementedError

    def _document(self) -> str:
        raise NotImplementedError

    def _frame(self) -> Frame:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The document of the command with `--format json`."""
        document: dict[str, Any] = json.loads(self._document())
        return document

    def to_pandas(self) -> "pandas.DataFrame":
        """Rows of the result; needs pandas."""
        return to_pandas(self._frame())

    def to_polars(self) -> "polars.DataFrame":
        """Rows of the result; needs polars."""
        return to_polars(self._frame())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return text_html(self.text())


class ShownSchema(Shown, LinkedSchema, frozen=True):
    """A linked schema."""

    def text(self, form: str = "table", *, explain: bool = False) -> str:
        """As `table`, `mschema`, `ddl` or `json`; `explain` adds all evidence."""
        if form == "table":
            by = "`text(explain=True)`"
            return render_table(self, width=WIDTH, color=False, explain=explain, explain_by=by)
        return render(self, form, width=WIDTH, explain=explain)

    def _document(self) -> str:
        return render(self, "json", explain=True)

    def _frame(self) -> Frame:
        names = ("schema", "table", "column", "type", "description", "score", "status", "reason")
        rows: list[tuple[object, ...]] = []
        for linked in self.tables:
            index = (linked.table.ref.schema, linked.table.ref.name)
            for item in linked.columns:
                cells = (item.column.path, item.column.data_type, item.column.description)
                rows.append((*index, *cells, item.score, item.status, item.reason))
        return Frame(names, tuple(rows))

    def _repr_html_(self) -> str:
        return schema_html(self)


class ShownSql(Shown, SqlAnswer, frozen=True, kw_only=True):
    """A SQL answer and the linked schema."""

    schema: LinkedSchema

    def text(self) -> str:
        """The answer; without one the linked schema and the reason."""
        if self.outcome == "needs_model":
            return f"{shown(ShownSchema, self.schema).text()}\n\n{self.missing}"
        return render_answer(self, self.schema, "table", width=WIDTH)

    def _document(self) -> str:
        return render_answer(self, self.schema, "json")

    def _frame(self) -> Frame:
        if self.result is None:
            reason = f": {self.missing}" if self.missing else ""
            raise ConfigError(
                f"not executed, so there are no rows ({self.outcome}){reason}",
                hint="`schema` has the tables and columns, `sql` the statement where there is one",
            )
        return Frame(self.result.columns, self.result.rows)


class Card(Shown, Record, frozen=True):
    """The profile of a table, or of one of its columns."""

    table: TableProfile
    column: ColumnProfile | None

    def text(self, form: str = "table") -> str:
        """As `table` or `json`."""
        return render_card(self.table, self.column, form, width=WIDTH, explain=True)

    def _document(self) -> str:
        return self.text("json")

    def _frame(self) -> Frame:
        if self.column:
            values = column_card(self.table, self.column).values
            shares = tuple((item.text, item.count, item.share) for item in values)
            return Frame(("value", "count", "share"), shares)
        names = ("column", "type", "category", "key", "description", "null_ratio", "distinct_count")
        rows: list[tuple[object, ...]] = []
        for item in table_card(self.table).columns:
            kind = (item.column.path, item.column.data_type, item.category, item.role)
            measured = (item.null_ratio, item.l2.distinct_count, item.examples())
            rows.append((*kind, item.description, *measured))
        return Frame((*names, "examples"), tuple(rows))

    def _repr_html_(self) -> str:
        return column_html(self.table, self.column) if self.column else table_html(self.table)


class Found(Shown, Record, frozen=True):
    """Search results, best first."""

    searched: str
    columns: tuple[Hit, ...]
    tables: tuple[TableHit, ...]
    catalog: Catalog
    target: str = ""

    def text(self) -> str:
        """A line per column: name, type, and the matched value or the description."""
        grid = grid_of()
        for hit in self.columns:
            grid.add_row(*self._cells(hit))
        return page([grid], width=WIDTH, color=False)

    def _document(self) -> str:
        return search_json(self, self.searched, self.catalog, self.target)

    def _frame(self) -> Frame:
        names = ("schema", "table", "column", "type", "description", "score", "value")
        rows: list[tuple[object, ...]] = []
        for hit in self.columns:
            if column := self.catalog.find(hit.ref):
                index = (hit.ref.table.schema, hit.ref.table.name, hit.ref.path)
                value = hit.match.value if hit.match else None
                rows.append((*index, column.data_type, column.description, hit.score, value))
        return Frame(names, tuple(rows))

    def _cells(self, hit: Hit) -> Iterator[Text]:
        column = self.catalog.find(hit.ref)
        yield Text(escape_invisible(hit.ref))
        yield Text(one_line(column.short_type) if column else "")
        yield Text(one_line(str(hit.match) if hit.match else (column and column.description) or ""))


class ShownJoins(Shown, JoinedTables, frozen=True):
    """Joins of tables."""

    def text(self) -> str:
        """A line per join and per unconnected table."""
        lines = [
            f"{escape_invisible(join)}   {join.reason}; {measures(join)}" for join in self.joins
        ]
        return "\n".join([*lines, *(f"no joins for {escape_invisible(ref)}" for ref in self.apart)])

    def _document(self) -> str:
        return joins_json(self)

    def _frame(self) -> Frame:
        records = [JoinRecord.model_validate(join).model_dump() for join in self.joins]
        return Frame.create(JoinRecord.model_fields, records)


class ShownStatus(Shown, Status, frozen=True):
    """Freshness of a target."""

    def text(self) -> str:
        """As `linker status` prints it."""
        return render_status(self, width=WIDTH, color=False)

    def _document(self) -> str:
        return status_json(self, None)

    def _frame(self) -> Frame:
        return Frame.create(_OF_STATUS, [schema_record(item, self.at) for item in self.schemas])


class ShownRun(Shown, Run, frozen=True):
    """One run."""

    def text(self) -> str:
        """As `linker runs NUMBER` prints it."""
        return render_run(self, width=WIDTH, color=False)

    def _document(self) -> str:
        return run_json(self)

    def _frame(self) -> Frame:
        return Frame.create(_OF_RUN, [run_record(self)])


class Runs(Shown, tuple[Run, ...]):
    """Runs, newest first."""

    target = ""

    @classmethod
    def create(cls, target: str, runs: Iterable[Run]) -> "Runs":
        made = cls(runs)
        made.target = target
        return made

    def text(self) -> str:
        """As `linker runs` prints it."""
        return render_runs(self, width=WIDTH, color=False)

    def _document(self) -> str:
        return render_runs_json(self.target, self)

    def _frame(self) -> Frame:
        return Frame.create(_OF_RUN, map(run_record, self))


class ShownDiff(Shown, WarehouseDiff, frozen=True):
    """A schema diff of two runs."""

    def text(self) -> str:
        """As `linker diff` prints it."""
        return render_changes(self, width=WIDTH, color=False)

    def _document(self) -> str:
        return render_changes_json(self)

    def _frame(self) -> Frame:
        names = ("schema", "table", "change", "column", "column_change", "what")
        rows: list[tuple[object, ...]] = []
        for change in self.tables:
            index = (change.table.schema, change.table.name, change.kind)
            rows.extend(
                (*index, column.path, column.kind, "; ".join(column_lines(column)))
                for column in change.columns
            )
            if not change.columns:
                rows.append((*index, None, None, table_change_text(change)))
        return Frame(names, tuple(rows))
