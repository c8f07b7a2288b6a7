"""Privacy over several runs: views inherit it, and later rules apply."""

from pathlib import Path

import pytest

from tests.profile.runs import Run, Warehouse
from tests.warehouse.project import run_dbt

TABLES = """
    create schema crm;
    create table crm.accounts as
        select
            range as id, 'hidden' || range as password, 'm' || range || '@mail.example' as mail,
            'name ' || range as name, 'city ' || range as city
        from range(40);
    create table crm.notes as select range as id, 'body ' || range as body, {'gold': range} as box from range(40);
    create schema rep;
    create view rep.v as
        select id, password as pw2, md5(mail) as digest, name as called, upper(city) as town from crm.accounts;
    comment on column crm.accounts.name is 'ask ada@mail.example';
"""
BEFORE = {"exclude_columns": ["crm.notes.body", "crm.notes.box"]}
LATER = {
    "hide_columns": ["crm.accounts.name"],
    "exclude_columns": ["crm.accounts.city", "crm.notes.box"],
}


def privacy(run: Run, table: str) -> dict[str, str]:
    rows = [row for row in run.artifacts["linker_profile_l2"] if row["table_name"] == table]
    return {row["column_path"]: row["privacy"] for row in rows}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    made = Warehouse(tmp_path_factory.mktemp("views"))
    made.execute(TABLES)
    return made


@pytest.fixture(scope="module")
def first(warehouse: Warehouse) -> Run:
    return warehouse.profile(BEFORE)


@pytest.fixture(scope="module")
def later(warehouse: Warehouse, first: Run) -> tuple[Run, Run]:
    """After a column was named, and the same once more."""
    assert first
    return warehouse.profile(LATER), warehouse.profile(LATER)


def test_a_view_is_as_private_as_its_table_by_name_and_by_values(first: Run) -> None:
    shown = {"id": "show", "password": "hide", "mail": "mask", "name": "show", "city": "show"}
    assert privacy(first, "accounts") == shown
    assert privacy(first, "v") == {
        "id": "show",
        "pw2": "hide",
        "digest": "mask",
        "called": "show",
        "town": "show",
    }
    assert first.report.unread == ()


def test_an_address_in_a_comment_is_masked(first: Run) -> None:
    assert first.column("linker_columns", "accounts", "name")["description"] == "ask (masked)"


def test_what_is_hidden_later_is_forgotten_by_the_next_run_in_the_table_and_in_its_views(
    warehouse: Warehouse, later: tuple[Run, Run]
) -> None:
    once, again = later
    assert once.scanned() == {"accounts", "v", "notes"}
    assert once.state("v") == ("changed", "its privacy rules changed since its scan")
    assert (privacy(once, "accounts")["name"], privacy(once, "v")["called"]) == ("hide", "hide")
    assert "name 7" not in warehouse.everything()
    assert again.scanned() == set()


def test_what_is_excluded_later_is_listed_with_its_type_and_neither_read_nor_counted(
    warehouse: Warehouse, later: tuple[Run, Run]
) -> None:
    run, _ = later
    assert (privacy(run, "accounts")["city"], privacy(run, "v")["town"]) == ("exclude", "exclude")
    assert (
        run.scan("accounts", "city")["value_count"],
        run.scan("accounts", "city")["distinct_count"],
    ) == (None, None)
    assert run.column("linker_profile_l1", "accounts", "city")["data_type"] == "VARCHAR"
    assert {row["column_path"] for row in run.artifacts["linker_profile_l3"]}.isdisjoint(
        {"city", "town"}
    )
    assert not [statement for statement in run.scan_statements() if '"city" as b' in statement]
    assert "city 7" not in warehouse.everything().lower()


def test_what_is_no_longer_excluded_is_read_by_the_next_run(
    first: Run, later: tuple[Run, Run]
) -> None:
    assert privacy(first, "notes") == {
        "id": "show",
        "body": "exclude",
        "box": "exclude",
        "box.gold": "exclude",
    }
    assert privacy(later[0], "notes") == {
        "id": "show",
        "body": "show",
        "box": "exclude",
        "box.gold": "exclude",
    }
    assert later[0].scan("notes", "body")["distinct_count"] == 40


def test_a_run_that_knows_no_lineage_keeps_back_what_was_kept_back(
    warehouse: Warehouse, later: tuple[Run, Run], checkout: Path
) -> None:
    """As dbt alone runs it: no definition of a view is read, and everything is scanned anew."""
    assert later
    warehouse.execute(
        "insert into crm.accounts values (99, 'hidden', 'n@mail.example', 'name 99', 'city 99')"
    )
    words = (
        "run",
        "--project-dir",
        str(checkout),
        "--profiles-dir",
        str(warehouse.folder),
        "--profile",
        "shop",
    )
    state = str(warehouse.folder / "state")
    run_dbt(
        warehouse.folder,
        *words,
        "--target-path",
        state,
        "--log-path",
        state,
        "--vars",
        "{view_hours: 0}",
    )
    run = warehouse.look(later[1].report)
    assert privacy(run, "v") == {
        "id": "show",
        "pw2": "hide",
        "digest": "mask",
        "called": "hide",
        "town": "exclude",
    }
