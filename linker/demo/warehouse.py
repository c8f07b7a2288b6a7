"""
Builds the demo warehouse: enters a path, a scale and a seed, leaves a DuckDB file.

Every schema is one file of `sql/`, run in the order of their names.
Nothing is downloaded; the same seed and scale give the same warehouse.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from importlib import resources
from pathlib import Path

import duckdb
from jinja2 import Environment, StrictUndefined

from linker.errors import WarehouseError
from linker.types import Record

DEFAULT_SEED = 7
SHARD_YEAR = 2025
# The smallest that DuckDB offers: hundreds of small tables in blocks of the usual 256 KiB would be
# four times the size.
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
    """Counts of what was built, taken in the finished file."""

    schemas: int
    tables: int
    columns: int


def build_warehouse(
    path: Path, *, scale: float = 1.0, seed: int = DEFAULT_SEED
) -> WarehouseSummary:
    """Build the warehouse beside `path` and move it there when it is whole."""
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
    with duckdb.connect(str(path), config={"default_block_size": _BLOCK_BYTES}) as connection:
        # One transaction: hundreds of tables, each committed alone, take half as long again.
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
    """The SQL of every schema, in the order in which it runs."""
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


def _count(connection: duckdb.DuckDBPyConnection) -> WarehouseSummary:
    schemas, tables, columns = connection.execute(
        "select count(distinct schema_name), count(distinct table_oid), count(*) from duckdb_columns() "
        "where not internal and database_name = current_database()"
    ).fetchall()[0]
    return WarehouseSummary(schemas, tables, columns)
