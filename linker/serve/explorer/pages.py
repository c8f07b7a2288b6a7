"""The pages of the catalog UI as HTML, for a server or as static files."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TypeVar

from linker import pipeline
from linker.catalog.read_catalog import read_members
from linker.environment import Environment
from linker.errors import ConfigError
from linker.history.column_changes import Thresholds
from linker.history.runs import compare_runs, read_runs
from linker.linking.result import LinkedColumn, LinkedSchema, LinkedTable
from linker.output.profile_card import ColumnCard, column_card, table_card
from linker.refresh.status import Status, read_status
from linker.serve.code_labels import CodeLabels
from linker.serve.explorer import html
from linker.serve.explorer.diagrams import diagram
from linker.serve.explorer.html import (
    column_url,
    join_graph,
    joins_url,
    numbered,
    page,
    schema_url,
    table_url,
)
from linker.serve.explorer.search import found_tables, meant, similarly_named_tables, words_known
from linker.serve.lineage import ColumnLineage, LineageGraph
from linker.serve.session import column_of, profile_of
from linker.text.words import words_of_name
from linker.types import Record, Run, Table, TableRef

TABLES_A_PAGE = 100
COLUMNS_A_PAGE = 150
_RUNS = 200
_TABLES_FOUND = 10
# Cache time of the status, or a multiple of its computation time.
_STATUS_SECONDS = 20.0
_TIMES_ITS_COST = 20
ItemT = TypeVar("ItemT")

# Marks a folder as a generated site, which may be replaced.
_MARK = ".linker-site"
# Profiles cached.
_HELD = 500


class Standing(Record, frozen=True):
    """State of a table: failed with a reason, or changed since its scan."""

    failed: str = ""
    is_changed: bool = False


class Pages:
    """Pages of a target; forms exist on a server only."""

    def __init__(self, *, is_served: bool) -> None:
        self._is_served = is_served
        self._status: tuple[list[Run], float, Status] | None = None
        self._besides: tuple[list[Run], CodeLabels, LineageGraph] | None = None

    def home(self, environment: Environment) -> str:
        """Schemas, freshness and failures."""
        return self._page("home", "index.html", status=self._status_of(environment))

    def schema(
        self, environment: Environment, schema: str, number: int = 1, pattern: str = ""
    ) -> str:
        """Tables of a schema, paged, or filtered by words in names and descriptions."""
        tables = [
            table for table in environment.indexed.catalog.tables if table.ref.schema == schema
        ]
        matches = [table for table in tables if _is_like(table, pattern)]
        url = schema_url(schema)
        return self._page(
            "schema",
            numbered(url, number),
            schema=schema,
            like=pattern,
            found=len(matches),
            of=len(tables),
            tables=_part(matches, number, TABLES_A_PAGE),
            standing=self._standing(environment),
            pages=Paging(url, number, pages_of(len(matches), TABLES_A_PAGE)),
            diagram=diagram([table.ref for table in tables], environment.indexed.facts.joins),
        )

    def table(self, environment: Environment, ref: TableRef, number: int = 1) -> str:
        """A table with paged columns, family, duplicates and joins."""
        card = table_card(profile_of(environment, ref))
        url = table_url(ref)
        members = read_members(environment.warehouse.artifacts, ref) if card.table.family else ()
        columns = _part(card.columns, number, COLUMNS_A_PAGE)
        linked = LinkedTable(card.table, tuple(_linked(item) for item in columns))
        labels, lineage = self._read_besides(environment)
        return self._page(
            "table",
            numbered(url, number),
            card=card,
            columns=columns,
            labels={item.column.path: _labels(labels, item) for item in columns},
            lineage=lineage.get(ref),
            schema=LinkedSchema("", environment.target_key, "", (linked,)),
            members=members,
            siblings=[TableRef(ref.schema, name) for name in card.table.siblings],
            known=environment.indexed.catalog.table_by_ref,
            standing=self._standing(environment).get(ref, Standing()),
            pages=Paging(url, number, pages_of(len(card.columns), COLUMNS_A_PAGE)),
        )

    def column(self, environment: Environment, ref: TableRef, path: str) -> str:
        """A column with values, distribution and joins."""
        profile = profile_of(environment, ref)
        card = column_card(profile, column_of(profile, path))
        url = f"{column_url(ref, path)}.html"
        codes, lineage = self._read_besides(environment)
        return self._page(
            "column",
            url,
            card=card,
            joins=profile.joins_of(path),
            labels=_labels(codes, card),
            lineage=lineage.columns(ref).get(path, ColumnLineage()),
            known=environment.indexed.catalog,
        )

    def joins(self, environment: Environment, ref: TableRef) -> str:
        """Joins of a table as diagram and list."""
        profile = profile_of(environment, ref)
        graph = join_graph(ref, profile.joins)
        return self._page(
            "joins",
            f"{joins_url(ref)}.html",
            table=profile.table,
            joins=profile.joins,
            graph=graph,
        )

    def runs(self, environment: Environment) -> str:
        """Runs, newest first."""
        return self._page("runs", "runs.html", runs=read_runs(environment, _RUNS))

    def changes(self, environment: Environment, numbers: Sequence[int] = ()) -> str:
        """The schema diff of two runs, or why there is none yet."""
        url = f"changes/{'-'.join(map(str, numbers))}.html" if numbers else "changes.html"
        runs = read_runs(environment, _RUNS)
        problem, comparison = "", None
        try:
            comparison = compare_runs(environment, numbers, Thresholds())
        except ConfigError as error:
            problem = f"{error.what}; {error.hint}"
        tables_there = environment.indexed.catalog.table_by_ref
        return self._page(
            "changes", url, comparison=comparison, problem=problem, runs=runs, known=tables_there
        )

    def search(self, environment: Environment, text: str) -> str:
        """Search results."""
        if not text.strip():
            return self._page("search", "search.html", text=text, found=None)
        found, profiled = pipeline.search(text, environment, 30), environment.indexed
        catalog = profiled.catalog
        wanted, is_found = set(words_of_name(text)), False
        for hit in found.columns:
            column = catalog.find(hit.ref)
            words = words_of_name(f"{hit.ref} {column.description}") if column else ()
            is_found = is_found or bool(hit.matches) or not wanted.isdisjoint(words)
        return self._page(
            "search",
            "search.html",
            text=text,
            found=found,
            is_found=is_found,
            catalog=catalog,
            tables=found_tables(text, found, profiled, _TABLES_FOUND),
            meant=meant(text, environment.derive(words_known)),
            alike=[] if is_found else similarly_named_tables(text, profiled),
        )

    def problem(self, url: str, what: str, hint: str) -> str:
        """An error page with a hint."""
        return self._page("problem", url, what=what, hint=hint)

    def _page(self, template: str, url: str, **shown: object) -> str:
        return page(template, url, served=self._is_served, **shown)

    def _read_besides(self, environment: Environment) -> tuple[CodeLabels, LineageGraph]:
        """Code labels and lineage, cached until a run ends."""
        last = read_runs(environment, 1) if self._is_served else []
        if self._besides is None or self._besides[0] != last:
            self._besides = (last, CodeLabels(environment), LineageGraph(environment))
        return self._besides[1:]

    def _status_of(self, environment: Environment) -> Status:
        """Status, cached until a run ends, since it takes one to ten seconds."""
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
        """Tables that failed or changed; a family has the states of its shards."""
        status = self._status_of(environment)
        changed = set(status.total.changed or ())
        failed = {error.table: error.message for error in status.total.failed}
        standing = {}
        for table in environment.indexed.catalog.tables:
            is_changed = not changed.isdisjoint(_names(table))
            if is_changed or table.ref in failed:
                standing[table.ref] = Standing(failed.get(table.ref, ""), is_changed)
        return standing


class Paging(Record, frozen=True):
    url: str
    number: int
    last: int


def _labels(codes: CodeLabels, card: ColumnCard) -> Mapping[str, str]:
    """Labels of a column's codes, if its values may be shown."""
    values = [item.value for item in card.l2.representative_values or ()]
    return {} if card.kept_back else codes.get(card.ref, values)


def _linked(card: ColumnCard) -> LinkedColumn:
    """A column of a table passed whole."""
    is_key = bool(card.l1.primary_key_origin)
    examples = tuple(item.value for item in (card.l2.representative_values or ())[:3])
    shown = () if card.kept_back else examples
    return LinkedColumn(card.column, 0.0, "", is_primary_key=is_key, examples=shown)


def pages_of(count: int, size: int) -> int:
    """Number of pages."""
    return max(1, -(-count // size))


def _part(items: Sequence[ItemT], number: int, size: int) -> Sequence[ItemT]:
    return items[(number - 1) * size : number * size]


def _names(table: Table) -> Iterable[str]:
    members = table.family.members if table.family else ()
    return (str(table.ref), *(f"{table.ref.schema}.{member}" for member in members))


def _is_like(table: Table, pattern: str) -> bool:
    text, wanted = pattern.strip().casefold(), set(words_of_name(pattern))
    if text in table.ref.name.casefold():
        return True
    return bool(wanted) and wanted <= set(
        words_of_name(f"{table.ref.name} {table.description or ''}")
    )


def export_site(
    environment: Environment, folder: Path, on_progress: Callable[[int, int], None]
) -> int:
    """Write the site beside the folder, then replace it; returns the number of pages."""
    if (
        folder.exists()
        and not (folder / _MARK).is_file()
        and (not folder.is_dir() or any(folder.iterdir()))
    ):
        raise ConfigError(
            f"{folder} exists and is not a site of linker", hint="name a new or empty folder"
        )
    folder = folder.resolve()
    new, old = (folder.with_name(f".{folder.name}.{word}-{os.getpid()}") for word in ("new", "old"))
    try:
        written = _write(environment, new, on_progress)
        _switch(new, folder, old)
    except OSError as error:
        raise ConfigError(
            f"cannot write {folder}: {error.strerror}", hint="name a folder you may write to"
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return written


def _switch(new: Path, folder: Path, old: Path) -> None:
    """Replace a folder; on failure the old one stays."""
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise


def _write(environment: Environment, folder: Path, on_progress: Callable[[int, int], None]) -> int:
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    (folder / "static").mkdir()
    for name in html.FILES:
        (folder / "static" / name).write_bytes(html.file(name))
    written = 0
    for url, text in _pages(environment, on_progress):
        file = folder / url
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        written += 1
    return written


def _pages(
    environment: Environment, on_progress: Callable[[int, int], None]
) -> Iterator[tuple[str, str]]:
    pages, tables = Pages(is_served=False), environment.indexed.catalog.tables
    yield "index.html", pages.home(environment)
    yield "runs.html", pages.runs(environment)
    yield "changes.html", pages.changes(environment)
    for schema, group in groupby(sorted(table.ref for table in tables), key=lambda ref: ref.schema):
        for number in range(1, pages_of(len(list(group)), TABLES_A_PAGE) + 1):
            yield (
                numbered(schema_url(schema), number),
                pages.schema(environment, schema, number),
            )
    for done, table in enumerate(tables, start=1):
        yield from _table_pages(pages, environment, table.ref)
        on_progress(done, len(tables))
        if done % _HELD == 0:
            environment.invalidate()


def _table_pages(
    pages: Pages, environment: Environment, ref: TableRef
) -> Iterator[tuple[str, str]]:
    columns = profile_of(environment, ref).columns
    for number in range(1, pages_of(len(columns), COLUMNS_A_PAGE) + 1):
        yield (
            numbered(table_url(ref), number),
            pages.table(environment, ref, number),
        )
    yield f"{joins_url(ref)}.html", pages.joins(environment, ref)
    for column in columns:
        yield (
            f"{column_url(ref, column.path)}.html",
            pages.column(environment, ref, column.path),
        )
