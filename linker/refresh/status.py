"""
Status and freshness of a target, overall and by schema.

Most of it comes from the store. The warehouse is queried last; if it is unavailable or locked by a
writer, the rest is still reported.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain

from linker.catalog.documents import IndexPlan
from linker.dbt.manifest import artifacts_schema, relations_elsewhere
from linker.environment import Environment
from linker.errors import ArtifactError, WarehouseError
from linker.history.runs import read_states
from linker.refresh.change_detection import changed_since
from linker.refresh.steps import compare_index, recent_runs
from linker.sql.verified import VerifiedCheck, read_checks
from linker.text.numbers import age_text
from linker.types import ENDED_WELL, Catalog, Record, Run, TableError, TableRef, TableState
from linker.warehouses import dialect_of
from linker.warehouses.base.dialect import Dialect

_NEVER = TableState(None, None, ())


class SchemaStatus(Record, frozen=True):
    """
    Freshness of a schema or of all; tables are logical, changed ones physical.

    None means unavailable. `covered` tables have profiles, `failed` ones an error since.
    `current_by` counts tables by change detection rule.
    """

    schema: str
    last_refresh: datetime | None
    last_scan: datetime | None
    tables: int
    covered: int
    changed: tuple[str, ...] | None
    failed: tuple[TableError, ...]
    hidden_columns: int
    masked_columns: int
    excluded_columns: int
    refused_columns: int
    sampled_tables: int
    in_step: bool | None
    current_by: Mapping[str, tuple[str, ...]]


class IndexStatus(Record, frozen=True):
    """The index, and its differences to the catalog (None if unavailable)."""

    physical_tables: int
    logical_tables: int
    families: int
    columns: int
    indexed: int
    to_embed: int | None
    to_remove: int | None
    in_step: bool | None


class Status(Record, frozen=True):
    """Freshness of a target."""

    target: str
    artifacts_schema: str
    store: str
    encoder: str
    at: datetime
    last_run: Run | None
    schemas: tuple[SchemaStatus, ...]
    total: SchemaStatus
    index: IndexStatus
    unseen: tuple[str, ...]
    verified: tuple[VerifiedCheck, ...] = ()

    def stale(self, max_age: timedelta) -> tuple[str, ...]:
        """Alerts: profiles older than `max_age`, and an incomplete last run."""
        by_refresh: dict[datetime | None, list[str]] = defaultdict(list)
        for schema in self.schemas:
            if schema.last_refresh is None or self.at - schema.last_refresh > max_age:
                by_refresh[schema.last_refresh].append(schema.schema)
        reasons = [_older(names, when, self.at) for when, names in by_refresh.items()]
        if not self.schemas:
            reasons.append("never refreshed")
        run = self.last_run
        if run and run.outcome in ("failed", "killed", "partly failed"):
            why = f": {run.message}" if run.message else ""
            reasons.append(f"run {run.number} {run.outcome}{why}")
        return tuple(reasons)


def _is_sampled(state: TableState) -> bool:
    return any(column.is_sampled for column in state.columns)


def _older(names: Iterable[str], when: datetime | None, at: datetime) -> str:
    first, *others = names
    word = "schemas" if len(others) > 1 else "schema"
    more = f" and {len(others)} more {word}" if others else ""
    age = "never refreshed" if when is None else f"last refreshed {age_text(at - when)} ago"
    return f"{first}{more} {'were' if others else 'was'} {age}"


def read_status(environment: Environment) -> Status:
    """Read freshness."""
    key = environment.target.key
    unseen = [
        sentence
        for sentence in (relations_elsewhere(environment.settings, environment.target),)
        if sentence
    ]
    runs = recent_runs(environment)
    # Before opening the warehouse: reading a DuckDB file's header drops this process's lock on it.
    changed = _changed(environment, unseen)
    plan = _compared(environment, unseen)
    catalog = environment.warehouse.catalog if plan else environment.indexed.catalog
    states = environment.store.history.states(key, runs[0].number) if runs else {}
    if not states and plan:
        states = read_states(environment.warehouse.artifacts, environment.warehouse.catalog)
    last = next((run for run in runs if run.outcome != "running"), None)
    good = next((run for run in runs if is_refresh(run)), None)
    seen = _StatusParts(
        runs, good.ended_at if good else None, changed, plan, dialect_of(environment.target.kind)
    )
    tables = {table.ref: states.get(table.ref, _NEVER) for table in catalog.tables}
    by_schema: dict[str, dict[TableRef, TableState]] = defaultdict(dict)
    for ref, state in tables.items():
        by_schema[ref.schema][ref] = state
    return Status(
        target=key,
        artifacts_schema=artifacts_schema(environment.settings, environment.target),
        store=environment.store.describe(),
        encoder=environment.embedder.name,
        at=datetime.now(UTC),
        last_run=last,
        schemas=tuple(seen.get(name, by_schema[name]) for name in sorted(by_schema)),
        total=seen.get("", tables),
        index=_index(environment, catalog, plan),
        unseen=tuple(unseen),
        verified=read_checks(environment),
    )


def is_refresh(run: Run) -> bool:
    """
    Whether a run ended well and covered the whole warehouse: a refresh, or an index update after
    dbt.
    """
    return (
        run.outcome in ENDED_WELL
        and (run.kind == "refresh" or bool(run.dbt_runs))
        and not run.selection
    )


class _StatusParts(Record, frozen=True):
    """Facts of all schemas."""

    runs: Sequence[Run]
    refreshed_at: datetime | None
    changed: tuple[str, ...] | None
    plan: IndexPlan | None
    dialect: Dialect

    def get(self, name: str, tables: Mapping[TableRef, TableState]) -> SchemaStatus:
        """Status of a schema, or of all if unnamed."""
        columns = list(chain.from_iterable(state.columns for state in tables.values()))
        scans = [state.scanned_at for state in tables.values() if state.scanned_at]
        changed = self.changed
        if name and changed is not None:
            changed = tuple(table for table in changed if table.startswith(f"{name}."))
        return SchemaStatus(
            schema=name,
            last_refresh=max(filter(None, (self.refreshed_at, *scans)), default=None),
            last_scan=max(scans, default=None),
            tables=len(tables),
            covered=sum(1 for state in tables.values() if state.scanned_at),
            changed=changed,
            failed=tuple(self._failed(tables)),
            hidden_columns=sum(column.privacy == "hide" for column in columns),
            masked_columns=sum(column.privacy == "mask" for column in columns),
            excluded_columns=sum(column.privacy == "exclude" for column in columns),
            refused_columns=sum(column.privacy == "refuse" for column in columns),
            sampled_tables=sum(map(_is_sampled, tables.values())),
            in_step=self._in_step(name),
            current_by=self._current_by(tables),
        )

    def _current_by(self, tables: Mapping[TableRef, TableState]) -> Mapping[str, tuple[str, ...]]:
        words = {
            "token": self.dialect.change_source,
            "inputs": "tables behind a view",
            "age": "age",
        }
        named = defaultdict[str, list[str]](list)
        for ref, state in sorted(tables.items()):
            if state.change_rule and state.scanned_at:
                named[words[state.change_rule]].append(str(ref))
        return {word: tuple(named[word]) for word in words.values() if word in named}

    def _failed(self, tables: Mapping[TableRef, TableState]) -> Iterator[TableError]:
        """The last error of each table, unless it was read since."""
        seen: set[TableRef] = set()
        for run in self.runs:
            for error in run.errors:
                state = tables.get(error.table)
                if state is None or error.table in seen or error.was_scanned:
                    continue
                seen.add(error.table)
                if state.scanned_at is None or state.scanned_at < run.started_at:
                    yield error

    def _in_step(self, name: str) -> bool | None:
        if self.plan is None:
            return None
        differing = (*(document.ref for document in self.plan.changed), *self.plan.gone)
        schemas = {ref.table.schema for ref in differing}
        if name and schemas:
            return name not in schemas
        # The snapshot is shared: a difference there belongs to no schema.
        return self.plan.in_step


def _compared(environment: Environment, unseen: list[str]) -> IndexPlan | None:
    """
    Differences of index and profile tables; if the latter are unavailable, an index must exist.
    """
    try:
        return compare_index(environment)
    except (WarehouseError, ArtifactError) as error:
        snapshot = environment.store.snapshot(environment.collection)
        if snapshot is None or snapshot.content is None:
            raise
        unseen.append(f"index comparison unavailable: {error.what}")
        return None


def _changed(environment: Environment, unseen: list[str]) -> tuple[str, ...] | None:
    """Tables that changed since the last run, by metadata."""
    try:
        changed = changed_since(environment.settings.state_dir, environment.target)
    except WarehouseError as error:
        unseen.append(f"change detection unavailable: {error.what}")
        return None
    if isinstance(changed, str):
        unseen.append(f"change detection unavailable: {changed}")
        return None
    return changed


def _index(environment: Environment, catalog: Catalog, plan: IndexPlan | None) -> IndexStatus:
    indexed = (
        plan.unchanged_count
        if plan
        else len(environment.store.content_hashes(environment.collection))
    )
    return IndexStatus(
        physical_tables=catalog.physical_table_count,
        logical_tables=len(catalog.tables),
        families=sum(1 for table in catalog.tables if table.family),
        columns=catalog.column_count,
        indexed=indexed,
        to_embed=len(plan.to_embed) if plan else None,
        to_remove=len(plan.gone) if plan else None,
        in_step=plan.in_step if plan else None,
    )
