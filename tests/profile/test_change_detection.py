"""Change detection without dbt on DuckDB: after every kind of change and after none."""

import json
import shutil
import stat
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from linker.config.target import Target
from linker.dbt.profiling import ChangeSnapshot
from linker.errors import WarehouseError
from linker.refresh.change_detection import (
    ChangeCheck,
    changed_since,
    check_for_changes,
    forget,
    keep,
    made_for,
)
from tests.profile.runs import Run, Warehouse

VARIABLES: dict[str, object] = {"top_values": 5}

CHANGES = {
    "insert into kept values (1000)": "main.kept",
    "update kept set a = 1000 where a = 50": "main.kept",
    "delete from kept where a = 50": "main.kept",
    "truncate kept": "main.kept",
    "create table fresh (a integer)": "main.fresh",
    "create table small_3 as from small_1": "main.small_3",
    "drop view seen": "main.seen",
    "drop table kept": "main.kept",
    "alter table nulls rename a to aa": "main.nulls",
    "alter table kept alter a type integer": "main.kept",
    "alter table kept add column b integer": "main.kept",
    "alter table kept alter a set not null": "main.kept",
    "comment on table kept is 'other words'": "main.kept",
    "comment on column kept.a is 'other words'": "main.kept",
    "comment on view seen is 'other words'": "main.seen",
    "create or replace view seen as select id, name from small_1 where id < 11": "main.seen",
    "alter table kept add primary key (a)": "main.kept",
    "create schema s; create table s.fresh (a integer)": "s.fresh",
    "create table main_linker.another (a integer)": "main_linker.another",
    "drop table main_linker.linker_tables": "",
}
NO_CHANGES = (
    "checkpoint",
    "begin; insert into kept values (1); rollback",
    "create table main_linker.linker_tables__dbt_tmp (a integer)",
    "create schema main_other",
)


@dataclass(frozen=True)
class Watcher:
    """A copy of the warehouse after a run, with the state of that run."""

    target: Target
    state_dir: Path
    watched: ChangeSnapshot

    def keep(self, **changes: object) -> None:
        keep(self.state_dir, self.target, self.digest(), replace(self.watched, **changes))

    def look(self, **variables: object) -> ChangeCheck:
        return check_for_changes(self.state_dir, self.target, self.digest(**variables))

    def digest(self, **variables: object) -> str:
        return made_for(self.target, VARIABLES | variables)

    def execute(self, statements: str) -> None:
        with duckdb.connect(str(self.target.options["path"])) as connection:
            connection.execute(statements)

    @property
    def kept(self) -> Path:
        [path] = (self.state_dir / "dbt").glob("watched-*.json")
        return path


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("watched"))
    made.execute(
        "create table kept as select range as a from range(100);"
        " create table nulls as select cast(null as integer) as a, 'x' as b from range(5);"
        " create table small_1 as select range as id, 'name ' || range as name from range(30);"
        " create table small_2 as from small_1;"
        # It says more than its table does.
        " create view seen as select id, name from small_1 where id < 10 and today() > date '2000-01-01'; checkpoint"
    )
    return made


@pytest.fixture(scope="module")
def run(warehouse: Warehouse) -> Run:
    return warehouse.profile(VARIABLES)


@pytest.fixture
def watcher(warehouse: Warehouse, run: Run, tmp_path: Path) -> Watcher:
    """A copy has the same time of its last change."""
    path = tmp_path / "warehouse.duckdb"
    shutil.copy2(warehouse.path, path)
    assert run.report.watched
    target = Target(
        "shop", "dev", "duckdb", "main", tmp_path, {"type": "duckdb", "path": str(path)}
    )
    made = Watcher(target, tmp_path / "state", run.report.watched)
    made.keep()
    return made


def test_after_a_look_the_stamp_of_the_file_tells_at_once_that_nothing_changed(
    watcher: Watcher,
) -> None:
    assert watcher.look().queries > 0
    found = watcher.look()
    assert (found.is_unchanged, found.queries) == (True, 0)


def test_without_the_stamp_the_queries_of_the_run_tell_it_and_the_next_look_has_a_stamp(
    watcher: Watcher,
) -> None:
    watcher.keep(stamp=None)
    found = watcher.look()
    assert (found.is_unchanged, found.queries) == (True, len(watcher.watched.queries))
    assert watcher.look().queries == 0


@pytest.mark.parametrize("statement", NO_CHANGES)
def test_what_changes_no_table_of_the_inventory_is_no_change(
    watcher: Watcher, statement: str
) -> None:
    watcher.execute(statement)
    assert watcher.look().is_unchanged


@pytest.mark.parametrize("statement", CHANGES)
def test_every_kind_of_change_is_seen_and_named(watcher: Watcher, statement: str) -> None:
    watcher.execute(statement)
    found = watcher.look()
    assert not found.is_unchanged
    assert found.changed == (CHANGES[statement],) or (
        not found.changed and found.reason.startswith("reading metadata failed")
    )


def test_a_look_ends_with_the_first_query_that_shows_a_change(watcher: Watcher) -> None:
    """The comment is in the catalogue, which is read first; the inserted row is not."""
    watcher.execute("comment on view seen is 'other words'; insert into kept values (1000)")
    found = watcher.look()
    assert (found.changed, found.queries) == (("main.seen",), 1)
    assert changed_since(watcher.state_dir, watcher.target) == ("main.kept", "main.seen")


def test_another_run_of_dbt_is_seen(watcher: Watcher) -> None:
    watcher.execute(
        "insert into main_linker.linker_attempts (run_id, event) values ('another', 'planned')"
    )
    assert watcher.look() == ChangeCheck(
        is_unchanged=False,
        reason="dbt ran since the last refresh",
        queries=len(watcher.watched.queries),
    )


@pytest.mark.parametrize(
    "variables",
    [{"hide_columns": ["*.people.*"]}, {"select": [{"tables": ["main.*"]}]}, {"view_hours": 1}],
)
def test_other_vars_are_another_run(watcher: Watcher, variables: dict[str, object]) -> None:
    found = watcher.look(**variables)
    assert not found.is_unchanged
    assert "settings, selection or version changed" in found.reason


def test_another_connection_is_another_run(watcher: Watcher) -> None:
    other = replace(watcher.target, options={**watcher.target.options, "schema": "other"})
    assert made_for(other, VARIABLES) != watcher.digest()
    secret = replace(watcher.target, options={**watcher.target.options, "password": "other"})
    assert made_for(secret, VARIABLES) == watcher.digest()
    assert made_for(watcher.target, VARIABLES, "an encoder") != watcher.digest()


def test_what_ages_is_not_known_from_the_moment_on_that_the_run_told(watcher: Watcher) -> None:
    assert watcher.watched.due_again
    until = datetime.fromtimestamp(watcher.watched.due_again.at, UTC)
    # The vars say so of views; the run is minutes old.
    assert timedelta(hours=23) < until - datetime.now(UTC) <= timedelta(hours=24)
    before = check_for_changes(
        watcher.state_dir, watcher.target, watcher.digest(), now=until - timedelta(seconds=1)
    )
    after = check_for_changes(watcher.state_dir, watcher.target, watcher.digest(), now=until)
    assert (before.is_unchanged, after.is_unchanged) == (True, False)
    assert (
        after.reason == "main.seen is scanned again: the warehouse has no change information for it"
    )


def test_where_nothing_is_kept_nothing_is_known(watcher: Watcher) -> None:
    forget(watcher.state_dir, watcher.target)
    assert watcher.look() == ChangeCheck(is_unchanged=False, reason="no earlier run")


@pytest.mark.parametrize("content", ["", "no json", "[]", '{"format": 0}'])
def test_what_is_kept_in_another_form_is_not_read(watcher: Watcher, content: str) -> None:
    watcher.kept.write_text(content, "utf-8")
    assert watcher.look().reason == "no earlier run"


def test_what_is_kept_is_for_its_owner_alone_and_what_others_may_write_is_not_read(
    watcher: Watcher,
) -> None:
    assert stat.S_IMODE(watcher.kept.stat().st_mode) == 0o600
    watcher.kept.chmod(0o660)
    assert watcher.look().reason == "no earlier run"


@pytest.mark.parametrize(
    "sql",
    [
        "insert into kept values (1)",
        "select content, '', '' from read_text('/etc/hostname')",
        "select 1, 2, 3; drop table kept",
        "attach 'other.duckdb'",
    ],
)
def test_what_is_kept_runs_nothing_that_does_more_than_read(watcher: Watcher, sql: str) -> None:
    content = json.loads(watcher.kept.read_text("utf-8"))
    content["watched"]["stamp"] = None
    content["watched"]["queries"][0]["sql"] = sql
    watcher.kept.write_text(json.dumps(content), "utf-8")
    found = watcher.look()
    assert not found.is_unchanged
    assert "a statement was refused before it ran" in found.reason
    with duckdb.connect(str(watcher.target.options["path"]), read_only=True) as connection:
        assert connection.execute("select count(*) from kept").fetchall() == [(100,)]


def test_a_warehouse_that_is_not_there_is_an_error(watcher: Watcher) -> None:
    Path(str(watcher.target.options["path"])).unlink()
    with pytest.raises(WarehouseError, match="there is no DuckDB file"):
        watcher.look()
