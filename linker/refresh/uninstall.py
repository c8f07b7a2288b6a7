"""Uninstalls linker from a target: drops profile tables, index and state folder."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from linker.config.installed import dbt_project_dir
from linker.dbt.manifest import artifact_relations, artifacts_schema
from linker.dbt.profiling import drop_artifacts
from linker.environment import Environment
from linker.errors import LinkerError, StoreError
from linker.index import has_store
from linker.types import Record

# What linker creates in a state folder; other content stays.
_OWN = (
    "postgres",
    "dbt",
    "traces",
    "worked-out",
    "evals",
    "learned",
    "demo",
    ".gitignore",
)


class Removal(Record, frozen=True):
    """What exists of a target, and what could not be checked."""

    schema: str
    tables: tuple[str, ...]
    # A user's server; empty if the index is in the state folder.
    store: str
    # All targets in that store.
    targets: tuple[str, ...]
    state_dir: Path
    state_entries: tuple[str, ...]
    state_bytes: int
    unseen: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to remove."""
        return bool(self.tables or self.store or self.state_entries)


def find_remains(environment: Environment) -> Removal:
    settings = environment.settings
    unseen: list[str] = []
    tables: tuple[str, ...] = ()
    schema = ""
    try:
        schema = artifacts_schema(settings, environment.target)
        tables = _profile_tables(environment, schema)
    except LinkerError as error:
        unseen.append(f"the profile tables: {error.what}")
    store, targets = "", tuple[str, ...]()
    if has_store(settings.store_url, settings.state_dir):
        try:
            targets = environment.store.targets()
            has_own = settings.store_url is None or environment.target_key in targets
            store = environment.store.describe() if settings.store_url and has_own else ""
        except LinkerError as error:
            unseen.append(f"the index: {error.what}")
    entries = tuple(name for name in _OWN if (settings.state_dir / name).exists())
    size = sum(_size(settings.state_dir / name) for name in entries)
    return Removal(schema, tables, store, targets, settings.state_dir, entries, size, tuple(unseen))


def remove(environment: Environment, removal: Removal) -> tuple[str, ...]:
    """Remove everything under the lock; returns failures with reasons."""
    target = environment.target_key
    failed: list[str] = list(removal.unseen)
    with _alone(environment, target):
        environment.release_warehouse()
        if removal.tables:
            try:
                drop_artifacts(environment.dbt_target())
            except LinkerError as error:
                failed.append(f"the profile tables in schema {removal.schema}: {error.what}")
    if removal.store:
        try:
            environment.store.delete_target(target)
        except LinkerError as error:
            failed.append(f"the index in {removal.store}: {error.what}")
    # Stops the embedded Postgres.
    environment.close()
    failed += _remove_state(removal.state_dir)
    return tuple(failed)


@contextmanager
def _alone(environment: Environment, target: str) -> Iterator[None]:
    """Hold the target's lock; without a working store no refresh can run."""
    settings = environment.settings
    try:
        is_there = has_store(settings.store_url, settings.state_dir)
        holding = environment.store.history.lock(target) if is_there else nullcontext()
    except StoreError:
        holding = nullcontext()
    with holding:
        yield


def _profile_tables(environment: Environment, schema: str) -> tuple[str, ...]:
    """The package's models only, since the schema may hold other tables."""
    own = {path.stem for path in (dbt_project_dir() / "models").glob("*/linker_*.sql")}
    session = environment.warehouse.session
    relations = artifact_relations(environment.settings, environment.target).values()
    schemas = {relation.schema for relation in relations if not relation.is_elsewhere} or {schema}
    tables: list[str] = []
    publishes = environment.dbt_target().variables.get("agents_target")
    if publishes in (None, environment.target.name):
        # Published views have the names of the tables that they read.
        schemas.add("agents")
    for item in schemas:
        tables += [f"{item}.{name}" for name in session.relations(item) if name in own]
    return tuple(sorted(tables))


def _remove_state(folder: Path) -> list[str]:
    failed: list[str] = []
    for name in _OWN:
        path = folder / name
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            failed.append(f"{path}: {error.strerror}")
    # Folders with foreign content stay.
    with suppress(OSError):
        folder.rmdir()
    return failed


def _size(path: Path) -> int:
    total = 0
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        with suppress(OSError):
            total += file.lstat().st_size
    return total
