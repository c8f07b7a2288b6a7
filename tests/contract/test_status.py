"""Status from the store, with the warehouse available, unavailable or locked."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import psycopg
import pytest
import yaml
from click.testing import CliRunner, Result
from msgspec.structs import replace

from linker import pipeline
from linker.cli import main
from linker.config.settings import Settings
from linker.dbt.profiling import ChangeSnapshot, WatchedQuery
from linker.environment import Environment
from linker.errors import LinkerError
from linker.history.runs import read_states
from linker.linking.assemble_result import read_trace
from linker.linking.result import LinkedSchema
from linker.refresh.change_detection import keep
from linker.refresh.status import SchemaStatus, Status, read_status
from linker.refresh.steps import update_index
from linker.serve.explorer.pages import Pages
from linker.types import Outcome, Run, TableError, TableRef, Work

QUESTION = "Which customers ordered most?"
ORDERS = TableRef("crm", "Orders")
HOUR = timedelta(hours=1)


@pytest.fixture
def refreshed(settings: Settings) -> Settings:
    """An index, and the run that made it, which ended just now."""
    with Environment(settings) as environment:
        update_index(environment)
        record(environment, "done")
    return settings


def record(
    environment: Environment,
    outcome: Outcome,
    *,
    failed: tuple[TableRef, ...] = (),
    message: str = "division by zero",
    selection: str = "",
) -> Run:
    """A refresh that ended so."""
    history, target = environment.store.history, environment.target_key
    now = datetime.now(UTC)
    errors = tuple(TableError(ref, message) for ref in failed)
    run = Run(
        history.begin(target, "refresh"),
        "refresh",
        outcome,
        now,
        now,
        Work(),
        errors,
        selection=selection,
    )
    warehouse = environment.warehouse
    is_read = outcome not in ("failed", "killed")
    states = read_states(warehouse.artifacts, warehouse.catalog) if is_read else None
    history.end(target, run, states)
    return run


def age(connection: psycopg.Connection, settings: Settings, length: timedelta) -> None:
    """Let all runs have ended that much earlier."""
    target = f"{settings.profile}.dev"
    connection.execute(
        "update linker.runs set ended_at = ended_at - %s where target = %s", (length, target)
    )


def status(settings: Settings) -> Status:
    with Environment(settings) as environment:
        return read_status(environment)


def told(settings: Settings, *words: str) -> Result:
    """The command, as a monitor runs it."""
    given = {
        "profiles-dir": settings.profiles_dir,
        "profile": settings.profile,
        "state-dir": settings.state_dir,
    }
    flags = [text for name, value in given.items() for text in (f"--{name}", str(value))]
    return CliRunner().invoke(main, ["status", *words, "--target", "dev", *flags])


def ask(
    settings: Settings, strategy: str = "shortlist", warn_age: timedelta = timedelta(days=7)
) -> LinkedSchema:
    with Environment(replace(settings, strategy=strategy, warn_age=warn_age)) as environment:
        return pipeline.ask(QUESTION, environment)


def schemas(found: Status) -> dict[str, SchemaStatus]:
    return {one.schema: one for one in found.schemas}


def test_each_schema_says_what_has_profiles_what_is_hidden_or_sampled_and_whether_the_index_is_in_step(
    refreshed: Settings,
) -> None:
    found = status(refreshed)
    counts = {
        name: (
            one.tables,
            one.covered,
            one.hidden_columns,
            one.masked_columns,
            one.sampled_tables,
            one.in_step,
        )
        for name, one in schemas(found).items()
    }
    # Of `crm` two were never scanned; an IBAN is hidden, an address masked. The two millions of
    # orders were sampled.
    assert counts == {
        "crm": (3, 1, 1, 1, 0, True),
        "sales": (2, 2, 0, 0, 1, True),
        "web": (1, 1, 0, 0, 0, True),
    }
    assert (found.total.tables, found.total.covered, found.total.in_step) == (6, 4, True)
    assert {one.last_scan for one in found.schemas} == {
        datetime(2025, 11, 20, 14, 3, 27, tzinfo=UTC)
    }
    assert found.stale(HOUR) == ()


def test_each_table_that_has_a_profile_stands_under_the_rule_by_which_it_is_called_current(
    refreshed: Settings,
) -> None:
    found = status(refreshed)
    tables = ("crm.customers", "sales.orders", "sales.returns", "web.sessions_*")
    assert found.total.current_by == {"digest of rows": tables}
    assert schemas(found)["crm"].current_by == {"digest of rows": ("crm.customers",)}


def test_a_page_shows_what_the_last_run_found_and_keeps_it_until_another_ends(
    refreshed: Settings,
) -> None:
    pages = Pages(is_served=True)
    with Environment(refreshed) as environment:
        first = pages.home(environment)
        assert "division by zero" not in first
        assert pages.home(environment) == first
        record(environment, "partly failed", failed=(ORDERS,))
        assert "division by zero" in pages.home(environment)


def test_only_the_schema_whose_documents_differ_is_not_in_step(
    refreshed: Settings, warehouse_file: Path
) -> None:
    with duckdb.connect(str(warehouse_file)) as connection:
        connection.execute(
            "update shop_linker.linker_tables set description = 'Parcels.' where table_name = 'returns'"
        )
    found = status(refreshed)
    # The table and its two columns: a document names its table, too.
    assert (found.index.to_embed, found.total.in_step) == (3, False)
    assert {name: one.in_step for name, one in schemas(found).items()} == {
        "crm": True,
        "sales": False,
        "web": True,
    }


@pytest.fixture
def away(
    refreshed: Settings, warehouse_file: Path, writer: Callable[[], None]
) -> Callable[[str], None]:
    """Takes the warehouse away, in one of two ways."""
    return lambda how: writer() if how == "held" else warehouse_file.unlink()


@pytest.mark.parametrize(
    ("how", "why"), [("held", "open for writing in another process"), ("gone", "no DuckDB file")]
)
def test_where_the_warehouse_is_out_of_reach_the_store_tells_the_rest_and_what_was_not_seen_is_said(
    refreshed: Settings, away: Callable[[str], None], how: str, why: str
) -> None:
    before = status(refreshed)
    away(how)
    found = status(refreshed)
    for name, one in schemas(found).items():
        assert one == replace(schemas(before)[name], in_step=None)
    assert (found.index.columns, found.index.physical_tables) == (
        before.index.columns,
        before.index.physical_tables,
    )
    assert any(why in unseen for unseen in found.unseen)
    shown = told(refreshed)
    assert shown.exit_code == 0
    assert "?" in shown.stdout
    assert why in shown.stderr


def test_a_monitor_gets_exit_code_one_and_the_reason_when_something_is_older(
    refreshed: Settings, store_connection: psycopg.Connection, checkout: Path
) -> None:
    assert told(refreshed, "--max-age", "24h").exit_code == 0
    age(store_connection, refreshed, timedelta(hours=30))
    done = told(refreshed, "--max-age", "24h", "--format", "json")
    assert done.exit_code == 1
    assert "stale: crm and 2 more schemas were last refreshed 1d6h ago" in done.stderr
    assert told(refreshed, "--max-age", "2d").exit_code == told(refreshed).exit_code == 0
    document = json.loads(done.stdout)
    words = yaml.safe_load((checkout / "docs" / "words" / "status.yml").read_text("utf-8"))
    assert list(document) == list(words["document"])
    assert {tuple(one) for one in (*document["schemas"], document["total"])} == {
        tuple(words["schemas"])
    }
    assert (document["is_stale"], document["max_age_seconds"], document["last_run"]["number"]) == (
        True,
        86400.0,
        1,
    )


@pytest.mark.parametrize("outcome", ["failed", "killed", "partly failed"])
def test_a_last_run_that_did_not_read_everything_is_a_reason_too(
    refreshed: Settings, outcome: Outcome
) -> None:
    with Environment(refreshed) as environment:
        record(environment, outcome, failed=(ORDERS,))
    done = told(refreshed, "--max-age", "24h")
    assert done.exit_code == 1
    assert f"stale: run 2 {outcome}" in done.stderr
    [failed] = status(refreshed).total.failed
    assert (failed.table, failed.message) == (ORDERS, "division by zero")
    assert [one.schema for one in status(refreshed).schemas if one.failed] == ["crm"]


def test_a_table_of_which_columns_could_not_be_compared_was_read_all_the_same(
    refreshed: Settings,
) -> None:
    with Environment(refreshed) as environment:
        words = "part_id could not be compared with crm.Parts.part_id: Conversion Error"
        record(environment, "partly failed", failed=(ORDERS,), message=words)
    assert status(refreshed).total.failed == ()


def test_a_run_that_looked_at_a_part_does_not_make_the_rest_younger(
    refreshed: Settings, store_connection: psycopg.Connection
) -> None:
    age(store_connection, refreshed, timedelta(days=30))
    with Environment(refreshed) as environment:
        record(environment, "done", selection="--select crm")
    assert told(refreshed, "--max-age", "24h").exit_code == 1
    assert "30d" in ask(refreshed).warnings[0]


def test_what_changed_since_is_named_and_counted_by_schema(
    refreshed: Settings, warehouse_file: Path
) -> None:
    catalogue = WatchedQuery(
        "catalogue",
        "select table_schema, table_name, count(*) from information_schema.columns "
        "where table_schema <> 'shop_linker' and table_name in ('gone', 'new', 'returns') group by all",
        (("crm", "gone", "1"), ("sales", "returns", "2")),
    )
    others = tuple(
        WatchedQuery(name, "select 'a', 'b', 'c' where false", ()) for name in ("keys", "journal")
    )
    assert status(refreshed).unseen == (
        "change detection unavailable: no `linker refresh` has run here",
    )
    with Environment(refreshed) as environment:
        keep(
            refreshed.state_dir,
            environment.target,
            "made for",
            ChangeSnapshot((catalogue, *others)),
        )
    with duckdb.connect(str(warehouse_file)) as connection:
        connection.execute("create table sales.new (a int)")
    found = schemas(status(refreshed))
    assert (found["crm"].changed, found["sales"].changed, found["web"].changed) == (
        ("crm.gone",),
        ("sales.new",),
        (),
    )


def test_before_anything_is_known_one_line_says_what_to_do(
    settings: Settings, warehouse_file: Path
) -> None:
    warehouse_file.unlink()
    done = told(settings)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no DuckDB file" in done.stderr
    with pytest.raises(LinkerError):
        status(settings)


def test_an_answer_from_what_was_found_long_ago_says_so_and_names_the_command(
    refreshed: Settings, store_connection: psycopg.Connection
) -> None:
    assert ask(refreshed).warnings == ()
    age(store_connection, refreshed, timedelta(days=8))
    for strategy in ("shortlist",):
        answer = ask(refreshed, strategy)
        old = [one for one in answer.warnings if "8d ago; run: linker refresh" in one]
        assert len(old) == 1
        run = read_trace(refreshed.state_dir, answer.trace).run
        assert run
        assert run.warnings == answer.warnings
    assert ask(refreshed, warn_age=timedelta(days=9)).warnings == ()
    assert ask(refreshed, warn_age=timedelta(0)).warnings == ()


def test_an_index_of_which_no_run_is_known_has_no_age(settings: Settings) -> None:
    with Environment(settings) as environment:
        update_index(environment)
    assert ask(settings).warnings == ()
    found = status(settings)
    # It was scanned some day, and that is what counts.
    assert found.total.last_refresh == datetime(2025, 11, 20, 14, 3, 27, tzinfo=UTC)
