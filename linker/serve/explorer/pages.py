"""
The pages: each enters an environment and what it is about, and leaves HTML; a server and the export
call them.
"""

from collections.abc import Iterable, Sequence
from time import monotonic
from typing import TypeVar

from linker import pipeline
from linker.catalog.inventory import read_members
from linker.environment import Environment
from linker.errors import ConfigError
from linker.history.column_changes import Thresholds
from linker.history.diff import compare_runs
from linker.history.runs import read_runs
from linker.refresh.status import Status, read_status
from linker.render.profile_card import column_card, table_card
from linker.runs import Run
from linker.serve.explorer import places
from linker.serve.explorer.drawing import join_graph
from linker.serve.explorer.html import page
from linker.serve.resident import column_of, profile_of
from linker.text.words import words_of_name
from linker.types import Record, Table, TableRef

TABLES_A_PAGE = 100
COLUMNS_A_PAGE = 150
_RUNS = 200
# So long what is current is told again, or so many times as long as it takes to find out.
_STATUS_SECONDS = 20.0
_TIMES_ITS_COST = 20
ItemT = TypeVar("ItemT")


class Standing(Record, frozen=True):
    """How a table stands: whether it could not be read, and why, or is no longer as it was read."""

    failed: str = ""
    is_changed: bool = False


class Pages:
    """Pages of one target; on a server they have forms, in files they do not."""

    def __init__(self, *, is_served: bool) -> None:
        self._is_served = is_served
        self._status: tuple[list[Run], float, Status] | None = None

    def home(self, environment: Environment) -> str:
        """The warehouse by schema, what is current and what failed."""
        return self._page("home", "index.html", status=self._status_of(environment))

    def schema(self, environment: Environment, schema: str, number: int = 1, like: str = "") -> str:
        """
        The tables of a schema, so many a page, or those whose names or descriptions have some
        words.
        """
        tables = [
            table for table in environment.indexed.catalog.tables if table.ref.schema == schema
        ]
        found = [table for table in tables if _is_like(table, like)]
        place = places.schema_place(schema)
        return self._page(
            "schema",
            places.numbered(place, number),
            schema=schema,
            like=like,
            found=len(found),
            of=len(tables),
            tables=_part(found, number, TABLES_A_PAGE),
            standing=self._standing(environment),
            pages=Paging(place, number, pages_of(len(found), TABLES_A_PAGE)),
        )

    def table(self, environment: Environment, ref: TableRef, number: int = 1) -> str:
        """A table with its columns, so many a page, its family, siblings and joins."""
        card = table_card(profile_of(environment, ref))
        place = places.table_place(ref)
        members = read_members(environment.warehouse.artifacts, ref) if card.table.family else ()
        return self._page(
            "table",
            places.numbered(place, number),
            card=card,
            columns=_part(card.columns, number, COLUMNS_A_PAGE),
            members=members,
            siblings=[TableRef(ref.schema, name) for name in card.table.siblings],
            known=environment.indexed.catalog.table_by_ref,
            standing=self._standing(environment).get(ref, Standing()),
            pages=Paging(place, number, pages_of(len(card.columns), COLUMNS_A_PAGE)),
        )

    def column(self, environment: Environment, ref: TableRef, path: str) -> str:
        """A column with its values, their distribution, and the joins that it is part of."""
        profile = profile_of(environment, ref)
        card = column_card(profile, column_of(profile, path))
        place = f"{places.column_place(ref, path)}.html"
        return self._page("column", place, card=card, joins=profile.joins_of(path))

    def joins(self, environment: Environment, ref: TableRef) -> str:
        """The neighbourhood of a table, drawn and as a table."""
        profile = profile_of(environment, ref)
        graph = join_graph(ref, profile.joins)
        return self._page(
            "joins",
            f"{places.joins_place(ref)}.html",
            table=profile.table,
            joins=profile.joins,
            graph=graph,
        )

    def runs(self, environment: Environment) -> str:
        """The runs, the newest first."""
        return self._page("runs", "runs.html", runs=read_runs(environment, _RUNS))

    def changes(self, environment: Environment, numbers: Sequence[int] = ()) -> str:
        """What changed between two runs, or why that cannot be told yet."""
        place = f"changes/{'-'.join(map(str, numbers))}.html" if numbers else "changes.html"
        runs = read_runs(environment, _RUNS)
        problem, comparison = "", None
        try:
            comparison = compare_runs(environment, numbers, Thresholds())
        except ConfigError as error:
            problem = f"{error.what}; {error.hint}"
        known = environment.indexed.catalog.table_by_ref
        return self._page(
            "changes", place, comparison=comparison, problem=problem, runs=runs, known=known
        )

    def search(self, environment: Environment, text: str) -> str:
        """Tables and columns near a text."""
        if not text.strip():
            return self._page("search", "search.html", text=text, found=None)
        found = pipeline.search(text, environment, 30)
        catalog = environment.indexed.catalog
        wanted, is_found = set(words_of_name(text)), False
        for hit in found.columns:
            column = catalog.find(hit.ref)
            words = words_of_name(f"{hit.ref} {column.description}") if column else ()
            is_found = is_found or bool(hit.matches) or not wanted.isdisjoint(words)
        return self._page(
            "search", "search.html", text=text, found=found, is_found=is_found, catalog=catalog
        )

    def problem(self, place: str, what: str, hint: str) -> str:
        """What is wrong, and the one thing to do."""
        return self._page("problem", place, what=what, hint=hint)

    def _page(self, template: str, place: str, **shown: object) -> str:
        return page(template, place, served=self._is_served, **shown)

    def _status_of(self, environment: Environment) -> Status:
        """
        How current everything is; as it takes a second, or ten of a large warehouse, it is kept
        until a run ends.
        """
        last, began = read_runs(environment, 1), monotonic()
        if self._status is None or self._status[0] != last or began > self._status[1]:
            status = read_status(environment)
            self._status = (
                last,
                monotonic() + max(_STATUS_SECONDS, _TIMES_ITS_COST * (monotonic() - began)),
                status,
            )
        return self._status[2]

    def _standing(self, environment: Environment) -> dict[TableRef, Standing]:
        """The tables that are not as they should be; of a family what holds of a member."""
        status = self._status_of(environment)
        changed = set(status.total.changed or ())
        failed = {error.table: error.message for error in status.total.failed}
        found = {}
        for table in environment.indexed.catalog.tables:
            is_changed = not changed.isdisjoint(_names(table))
            if is_changed or table.ref in failed:
                found[table.ref] = Standing(failed.get(table.ref, ""), is_changed)
        return found


class Paging(Record, frozen=True):
    """The pages of one place."""

    place: str
    number: int
    last: int


def pages_of(count: int, size: int) -> int:
    """How many pages it takes."""
    return max(1, -(-count // size))


def _part(items: Sequence[ItemT], number: int, size: int) -> Sequence[ItemT]:
    return items[(number - 1) * size : number * size]


def _names(table: Table) -> Iterable[str]:
    members = table.family.members if table.family else ()
    return (str(table.ref), *(f"{table.ref.schema}.{member}" for member in members))


def _is_like(table: Table, like: str) -> bool:
    text, wanted = like.strip().casefold(), set(words_of_name(like))
    if text in table.ref.name.casefold():
        return True
    return bool(wanted) and wanted <= set(
        words_of_name(f"{table.ref.name} {table.description or ''}")
    )
