"""Table states read from tests/artifacts.yml."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from linker.catalog.read_catalog import Artifacts
from linker.config.target import Target
from linker.history.runs import DbtRun, read_dbt_runs, read_states, work_of
from linker.types import Catalog, ColumnState, TableRef, TableState, Work
from linker.warehouses import open_warehouse

SCANNED = datetime(2025, 11, 20, 14, 3, 27, tzinfo=UTC)


@pytest.fixture(scope="module")
def states(artifacts: Artifacts, catalog: Catalog) -> dict[TableRef, TableState]:
    return read_states(artifacts, catalog)


def column(states: dict[TableRef, TableState], schema: str, table: str, path: str) -> ColumnState:
    [found] = [one for one in states[TableRef(schema, table)].columns if one.path == path]
    return found


def test_every_table_of_the_catalog_has_a_state_with_its_columns_in_their_order(
    states: dict[TableRef, TableState], catalog: Catalog
) -> None:
    assert states.keys() == catalog.table_by_ref.keys()
    orders = states[TableRef("sales", "orders")]
    assert (orders.row_count, orders.scanned_at) == (2_000_000, SCANNED)
    assert [one.path for one in orders.columns] == [
        "order_id",
        "customer_id",
        "status",
        "amount",
        "ordered_at",
        "note",
        "payload",
        "payload.channel",
        "receipt",
        "legacy_flag",
    ]


def test_a_category_that_was_sampled_has_its_values_and_says_of_how_many_rows(
    states: dict[TableRef, TableState],
) -> None:
    assert column(states, "sales", "orders", "status") == ColumnState(
        "status",
        "VARCHAR",
        is_nullable=True,
        category="category",
        null_ratio=0.0,
        distinct_count=4,
        min="delivered",
        max="shipped",
        values=(("delivered", 6200), ("shipped", 2550), ("open", 1248), ("returned", 2)),
        is_sampled=True,
        value_kind="text",
        privacy="show",
        distinct_is_exact=True,
        sample_rows=10_000,
        is_partial=False,
    )
    # Of a path inside JSON the elements count, of which there are fewer.
    assert column(states, "sales", "orders", "payload.channel").sample_rows == 5_000


def test_a_column_whose_rows_were_all_counted_names_no_sample(
    states: dict[TableRef, TableState],
) -> None:
    newsletter = column(states, "crm", "customers", "newsletter")
    assert (newsletter.values, newsletter.sample_rows) == ((("false", 5000), ("true", 3011)), None)


def test_values_of_what_is_no_small_category_are_not_kept(
    states: dict[TableRef, TableState],
) -> None:
    kept = {one.path for state in states.values() for one in state.columns if one.values}
    assert kept == {"status", "payload.channel", "newsletter", "hits.page.title"}


def test_of_masked_and_hidden_columns_no_value_is_kept(states: dict[TableRef, TableState]) -> None:
    email, iban = (column(states, "crm", "customers", path) for path in ("email", "iban"))
    assert (email.privacy, email.values, email.min, email.max, email.distinct_count) == (
        "mask",
        (),
        None,
        None,
        8011,
    )
    assert (iban.privacy, iban.values, iban.min, iban.max, iban.distinct_count) == (
        "hide",
        (),
        None,
        None,
        None,
    )
    assert iban.null_ratio == 0.125


def test_of_masked_and_hidden_columns_nothing_is_kept_even_where_the_profiles_hold_it(
    profiled_file: Path, tmp_path: Path, catalog: Catalog
) -> None:
    """As if an artifact of another version had not masked them."""
    path = tmp_path / "leaky.duckdb"
    path.write_bytes(profiled_file.read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "update shop_linker.linker_profile_l2 set distinct_count = 1, "
            """representative_values = '[{"value": "leaked", "count": 9}]' where privacy <> 'show'"""
        )
        connection.execute(
            "update shop_linker.linker_profile_l3 set min_value = 'leaked', max_value = 'leaked' "
            "where column_path in ('email', 'iban')"
        )
    warehouse = open_warehouse(
        Target("shop", "dev", "duckdb", "shop", tmp_path, {"path": str(path)})
    )
    assert "leaked" not in repr(read_states(Artifacts(warehouse, "shop_linker"), catalog))
    warehouse.close()


def test_a_family_counts_all_its_members_and_says_that_few_were_read(
    states: dict[TableRef, TableState],
) -> None:
    sessions = states[TableRef("web", "sessions_*")]
    assert sessions.row_count == 120
    visit, title = (
        column(states, "web", "sessions_*", path) for path in ("visit_id", "hits.page.title")
    )
    assert (visit.is_partial, visit.sample_rows, visit.is_sampled) == (True, 80, False)
    assert (title.is_partial, title.sample_rows) == (True, 250)


def test_what_was_not_scanned_is_known_by_its_type_alone(
    states: dict[TableRef, TableState],
) -> None:
    view = states[TableRef("crm", "Orders")]
    assert (view.row_count, view.scanned_at) == (None, None)
    [only] = view.columns
    assert only == ColumnState(
        "order_id", "BIGINT", True, "identifier", value_kind="integer", privacy="show"
    )


def test_personal_values_among_others_that_have_one_shape_are_one_value(
    profiled_file: Path, tmp_path: Path, catalog: Catalog
) -> None:
    path = tmp_path / "shapes.duckdb"
    path.write_bytes(profiled_file.read_bytes())
    values = '[{"value": "aa@a.aa", "count": 3}, {"value": "web", "count": 4}, {"value": "aa@a.aa", "count": 2}]'
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "update shop_linker.linker_profile_l2 set representative_values = ? where column_path = 'status'",
            [values],
        )
    warehouse = open_warehouse(
        Target("shop", "dev", "duckdb", "shop", tmp_path, {"path": str(path)})
    )
    states = read_states(Artifacts(warehouse, "shop_linker"), catalog)
    warehouse.close()
    assert column(states, "sales", "orders", "status").values == (("aa@a.aa", 5), ("web", 4))


def dbt_run(run_id: str, minute: int, *counts: int) -> DbtRun:
    started = datetime(2025, 11, 20, 14, minute, tzinfo=UTC)
    return DbtRun(run_id, started, started.replace(second=30), Work(*counts))


def test_the_runs_of_dbt_are_read_with_their_counts_the_oldest_first(tmp_path: Path) -> None:
    path = tmp_path / "runs.duckdb"
    rows = [
        "('b', timestamp '2025-11-20 14:05:00', timestamp '2025-11-20 14:05:30', 3, 7, 1, 2, 0, 1, 4, 500, 6000)",
        "('a', timestamp '2025-11-20 14:03:00', timestamp '2025-11-20 14:03:30', 5, 5, 0, 2, 1, 0, 2, 100, 1000)",
    ]
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table linker_runs (run_id varchar, started_at timestamp, ended_at timestamp, planned_tables bigint,"
            " unchanged_tables bigint, left_out_tables bigint, scanned_tables bigint, failed_tables bigint,"
            " unfinished_tables bigint, statement_count bigint, rows_read bigint, bytes_read bigint)"
        )
        connection.execute(f"insert into linker_runs values {', '.join(rows)}")
    warehouse = open_warehouse(
        Target("shop", "dev", "duckdb", "main", tmp_path, {"path": str(path)})
    )
    found = read_dbt_runs(Artifacts(warehouse, "main"))
    assert read_dbt_runs(Artifacts(warehouse, "elsewhere")) == []
    warehouse.close()
    first, second = (
        dbt_run("a", 3, 5, 2, 5, 0, 1, 2, 100, 1000),
        dbt_run("b", 5, 3, 2, 7, 1, 0, 4, 500, 6000),
    )
    assert found == [first, second]


def test_a_run_and_its_repetition_after_a_failure_count_each_table_once() -> None:
    """Five of ten tables are due: the third fails; the second run scans the other two."""
    first, second = (
        dbt_run("a", 3, 5, 2, 5, 0, 1, 2, 100, 1000),
        dbt_run("b", 5, 2, 2, 7, 1, 0, 3, 50, 400),
    )
    assert work_of([first, second]) == Work(
        planned=5,
        scanned=4,
        unchanged=5,
        left_out=0,
        failed=1,
        statements=5,
        rows_read=150,
        bytes_read=1400,
    )
    assert work_of([]) == Work()
