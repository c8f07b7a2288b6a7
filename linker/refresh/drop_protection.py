"""
Drop protection: refuses runs that could remove every profile, or would take an outage for a drop.

An unmounted disk, a revoked grant and a dropped schema look the same here; only a person can tell.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from linker.catalog.documents import IndexPlan
from linker.catalog.read_catalog import Artifacts
from linker.config.settings import Settings
from linker.config.target import Target
from linker.dbt.manifest import artifact_relations, artifacts_schema
from linker.dbt.profiling import OnWait
from linker.dbt.runner import file_locked_error, wait_message
from linker.dbt.worker import WAIT_SECONDS
from linker.errors import WarehouseError
from linker.text.numbers import first_of
from linker.types import Catalog, Ref
from linker.warehouses import file_of, find_dialect, open_warehouse
from linker.warehouses.base import FileLockedError, Warehouse

ResultT = TypeVar("ResultT")
_SHOWN = 5


def guard_against_drops(
    settings: Settings,
    target: Target,
    indexed: Iterable[Ref] = (),
    *,
    on_wait: OnWait | None = None,
    allow_empty_schemas: bool = False,
) -> None:
    """
    Raise if the target cannot be opened or written, or if a known schema has no tables any more.
    """
    with closing(with_file_lock(target, lambda: open_warehouse(target), on_wait)) as warehouse:
        _refuse_missing_right(warehouse, settings, target)
        if allow_empty_schemas:
            return
        artifacts = Artifacts(
            warehouse, target.artifacts_schema(settings), artifact_relations(settings, target)
        )
        schemas = _schemas(indexed)
        if artifacts.holds("linker_tables"):
            schemas |= {
                schema
                for [schema] in artifacts.query("select distinct schema_name from {linker_tables}")
            }
        gone = [schema for schema in sorted(schemas) if not warehouse.relations(schema)]
        _refuse(gone, "linker refresh --full --allow-empty-schemas")


def guard_against_index_drops(plan: IndexPlan, catalog: Catalog) -> None:
    """Raise if all tables of a schema would leave the index while the warehouse has some."""
    gone = _schemas(plan.gone) - {table.ref.schema for table in catalog.tables}
    _refuse(sorted(gone), "linker index --allow-empty-schemas")


def _refuse_missing_right(warehouse: Warehouse, settings: Settings, target: Target) -> None:
    """
    Raise if the role cannot create profile tables, as far as the warehouse reports it in advance.
    """
    dialect = find_dialect(target.kind)
    schema = artifacts_schema(settings, target)
    rights = (
        warehouse.query(dialect.lacking_right, [schema])
        if dialect and dialect.lacking_right
        else ()
    )
    for right, granting in rights:
        raise WarehouseError(
            f"the role of target `{target.name}` cannot create the profile tables in schema "
            f"{schema}: it lacks {right}",
            hint=f"let its owner run: {granting}",
        )


def _schemas(refs: Iterable[Ref]) -> set[str]:
    return {ref.table.schema for ref in refs}


def _refuse(gone: list[str], accepting: str) -> None:
    if not gone:
        return
    raise WarehouseError(
        f"{'schemas' if len(gone) > 1 else 'schema'} {first_of(gone, _SHOWN)} had tables and now "
        "show none; profiles and index are unchanged",
        hint=(
            f"check mounts and the permissions of the role; if the tables were dropped: {accepting}"
        ),
    )


@contextmanager
def not_replaced(target: Target) -> Iterator[None]:
    """Raise if the profiled file was replaced during the block."""
    path = file_of(target)
    before = _identity(path)
    yield
    if _identity(path) != before:
        raise WarehouseError(
            f"{path} was replaced while it was profiled; the index is unchanged",
            hint="run it again when the file is no longer being replaced",
        )


def _identity(path: Path | None) -> tuple[int, int] | None:
    with suppress(OSError):
        status = path.stat() if path else None
        return (status.st_dev, status.st_ino) if status else None
    return None


def with_file_lock(target: Target, work: Callable[[], ResultT], on_wait: OnWait | None) -> ResultT:
    """Run work on the warehouse; waits for a locked file, if `on_wait` is given."""
    try:
        return work()
    except WarehouseError:
        dialect = find_dialect(target.kind)
        if on_wait is None or not dialect or not dialect.file:
            raise
        path = dialect.file.path(target.options)
        try:
            dialect.file.wait_until_free(
                path, WAIT_SECONDS, lambda holder: on_wait(wait_message(path, holder))
            )
        except FileLockedError as error:
            raise file_locked_error(path, str(error)) from None
        return work()
