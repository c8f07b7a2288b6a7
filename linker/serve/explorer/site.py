"""
The explorer as files: enters an environment and a folder, leaves there pages that any web server
can show.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from linker.environment import Environment
from linker.errors import ConfigError
from linker.serve.explorer import html, places
from linker.serve.explorer.pages import COLUMNS_A_PAGE, TABLES_A_PAGE, Pages, pages_of
from linker.serve.resident import profile_of
from linker.types import TableRef

# By it the folder is known as one that may be written anew.
_MARK = ".linker-site"
# So many profiles are held at once.
_HELD = 500


def export_site(
    environment: Environment, folder: Path, on_progress: Callable[[int, int], None]
) -> int:
    """Write the site beside the folder and put it in its place; the number of pages."""
    if (
        folder.exists()
        and not (folder / _MARK).is_file()
        and (not folder.is_dir() or any(folder.iterdir()))
    ):
        raise ConfigError(
            f"{folder} is there, and no site of linker", hint="name a new or empty folder"
        )
    folder = folder.resolve()
    beside, before = (
        folder.with_name(f".{folder.name}.{word}-{os.getpid()}") for word in ("new", "old")
    )
    try:
        written = _write(environment, beside, on_progress)
        _switch(beside, folder, before)
    except OSError as error:
        raise ConfigError(
            f"cannot write {folder}: {error.strerror}", hint="name a folder you may write to"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return written


def _switch(beside: Path, folder: Path, before: Path) -> None:
    """Put a folder in the place of another, which stays where that fails."""
    if folder.exists():
        folder.rename(before)
    try:
        beside.rename(folder)
    except OSError:
        if before.exists():
            before.rename(folder)
        raise


def _write(environment: Environment, folder: Path, on_progress: Callable[[int, int], None]) -> int:
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    (folder / "static").mkdir()
    for name in html.FILES:
        (folder / "static" / name).write_bytes(html.file(name))
    written = 0
    for place, text in _pages(environment, on_progress):
        file = folder / place
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
                places.numbered(places.schema_place(schema), number),
                pages.schema(environment, schema, number),
            )
    for done, table in enumerate(tables, start=1):
        yield from _table_pages(pages, environment, table.ref)
        on_progress(done, len(tables))
        if done % _HELD == 0:
            environment.forget_artifacts()


def _table_pages(
    pages: Pages, environment: Environment, ref: TableRef
) -> Iterator[tuple[str, str]]:
    columns = profile_of(environment, ref).columns
    for number in range(1, pages_of(len(columns), COLUMNS_A_PAGE) + 1):
        yield (
            places.numbered(places.table_place(ref), number),
            pages.table(environment, ref, number),
        )
    yield f"{places.joins_place(ref)}.html", pages.joins(environment, ref)
    for column in columns:
        yield (
            f"{places.column_place(ref, column.path)}.html",
            pages.column(environment, ref, column.path),
        )
