"""
The demo warehouse: a DuckDB file generated from SQL, and kept while nothing changes.

Each schema is one file of `sql/`, run in name order. The same seed and scale give the same
warehouse, without downloads. A digest of all inputs, written last, marks a finished build.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import date, timedelta
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from jinja2 import Environment, StrictUndefined
from msgspec.structs import replace

from linker.config.installed import dbt_project_files
from linker.config.target import DEMO, Target
from linker.dbt.profiling import DbtTarget, profile_warehouse
from linker.errors import WarehouseError
from linker.files import state_folder, write_atomically
from linker.types import ProgressStage, Record

if TYPE_CHECKING:
    import duckdb


DEFAULT_SEED = 7
SHARD_YEAR = 2025
# DuckDB's minimum: the default of 256 KiB would make hundreds of small tables four times as large.
_BLOCK_BYTES = "16384"

ROWS_AT_SCALE_ONE = {
    "customers": 4_000,
    "products": 400,
    "employees": 320,
    "orders": 16_000,
    "stores": 36,
    "suppliers": 60,
    "sites": 9,
    "tickets": 6_000,
    "sessions_per_day": 24,
}


class WarehouseSummary(Record, frozen=True):
    """Counts from the finished file."""

    schemas: int
    tables: int
    columns: int


def build_warehouse(
    path: Path, *, scale: float = 1.0, seed: int = DEFAULT_SEED
) -> WarehouseSummary:
    """Build beside `path`, then move it there."""
    import duckdb

    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".building")
    unfinished.unlink(missing_ok=True)
    try:
        summary = _build(unfinished, render_schemas(scale=scale, seed=seed))
        unfinished.replace(path)
    except (duckdb.IOException, duckdb.FatalException) as error:
        reason = str(error).splitlines()[0]
        is_full = re.search(r"no space left|quota|too large", reason, re.IGNORECASE)
        mend = "make room" if is_full else f"check that you may write to {path.parent}"
        raise WarehouseError(
            f"cannot write the demo warehouse: {reason}", hint=f"{mend}, or set `state_dir`"
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return summary


def _build(path: Path, schemas: Iterable[tuple[str, str]]) -> WarehouseSummary:
    import duckdb

    with duckdb.connect(str(path), config={"default_block_size": _BLOCK_BYTES}) as connection:
        # One transaction: separate commits take half as long again.
        connection.begin()
        for name, sql in schemas:
            try:
                connection.execute(sql)
            except duckdb.Error as error:
                error.add_note(f"while building {name}")
                raise
        connection.commit()
        return _count(connection)


def render_schemas(*, scale: float = 1.0, seed: int = DEFAULT_SEED) -> list[tuple[str, str]]:
    """SQL of every schema, in execution order."""
    environment = Environment(undefined=StrictUndefined)  # noqa: S701 - renders SQL, not HTML
    new_year = date(SHARD_YEAR, 1, 1)
    variables = {
        "seed": seed,
        "rows": {name: max(4, round(count * scale)) for name, count in ROWS_AT_SCALE_ONE.items()},
        "days": [f"{new_year + timedelta(days):%Y%m%d}" for days in range(365)],
        "months": [f"{SHARD_YEAR}{month:02d}" for month in range(1, 13)],
    }
    files = sorted(
        (
            file
            for file in resources.files("linker.demo").joinpath("sql").iterdir()
            if file.name.endswith(".sql.j2")
        ),
        key=lambda file: file.name,
    )
    return [
        (file.name, environment.from_string(file.read_text("utf-8")).render(variables))
        for file in files
    ]


def _count(connection: "duckdb.DuckDBPyConnection") -> WarehouseSummary:
    schemas, tables, columns = connection.execute(
        "select count(distinct schema_name), count(distinct table_oid), count(*) from "
        "duckdb_columns() where not internal and database_name = current_database()"
    ).fetchall()[0]
    return WarehouseSummary(schemas, tables, columns)


class DemoState(Record, frozen=True):
    """Paths of the demo in a state folder."""

    state_dir: Path

    @property
    def warehouse(self) -> Path:
        return self.state_dir / "demo" / "warehouse.duckdb"

    @property
    def marker(self) -> Path:
        """Records what was built, as JSON."""
        return self.state_dir / "demo" / "built.json"


def prepare_warehouse(state: DemoState, *, scale: float) -> tuple[WarehouseSummary, bool]:
    """The warehouse, and whether it was built now."""
    digest = _digest(sql for _, sql in render_schemas(scale=scale, seed=DEFAULT_SEED))
    marker = _read_marker(state)
    if marker.summary and marker.warehouse == digest and state.warehouse.is_file():
        return marker.summary, False
    state_folder(state.state_dir, "demo")
    state.marker.unlink(missing_ok=True)
    summary = build_warehouse(state.warehouse, scale=scale)
    write_atomically(state.marker, msgspec.json.encode(_Marker(digest, summary)))
    return summary, True


def prepare_artifacts(state: DemoState, target: Target, stage: ProgressStage) -> bool:
    """Run dbt on the demo if needed; returns whether it ran."""
    marker = _read_marker(state)
    digest = _digest([marker.warehouse, *(file.read_text("utf-8") for file in dbt_project_files())])
    if marker.artifacts == digest:
        return False
    profile_warehouse(DbtTarget(target.profiles_dir, target.profile, DEMO, state.state_dir), stage)
    write_atomically(state.marker, msgspec.json.encode(replace(marker, artifacts=digest)))
    return True


def _digest(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
    return digest.hexdigest()


class _Marker(Record, frozen=True):
    """Digests of the inputs of a finished build."""

    warehouse: str = ""
    summary: WarehouseSummary | None = None
    artifacts: str = ""


def _read_marker(state: DemoState) -> _Marker:
    try:
        return msgspec.json.decode(state.marker.read_bytes(), type=_Marker)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return _Marker()
