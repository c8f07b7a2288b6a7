"""Verified questions by the command and by `linker refresh`, over a real DuckDB and dbt."""

import json
from typing import Any

import pytest

from linker.config.settings import load_settings
from linker.environment import Environment
from linker.serve.column_text import truncate
from linker.serve.tools_search import search_schema
from tests.messages import messages
from tests.refresh.shop import Shop

LATE = "How many orders has customer 3?"
ITEMS = "How many items are there?"
QUESTION = "How many orders has customer 5?"


def checks(shop: Shop) -> dict[str, str]:
    done = shop.run("verified", "list", "--format", "json")
    found = json.loads(done.stdout)["questions"]
    return {item["question"]: item["check"]["outcome"] for item in found}


def found_by_agents(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in shop.variables.items():
        if name.startswith("LINKER_"):
            monkeypatch.setenv(name, value)
    with Environment(load_settings({})) as environment:
        return truncate(search_schema(environment, [QUESTION], 4), 6_000).text


@pytest.fixture(scope="module")
def verified(shop: Shop) -> Shop:
    """The shop after a refresh, with two verified questions."""
    shop.refresh()
    for question, sql in (
        (LATE, "select count(*) from sales.orders where customer_id = 3 -- by hand\n;"),
        (ITEMS, "select count(*) from stock.items having count(*) > 0"),
    ):
        (shop.folder / "a.sql").write_text(sql)
        done = shop.run("verified", "add", question, "--sql", "a.sql")
        assert done.returncode == 0, done.stderr
    assert done.stdout == "added; verified.yml has 2 verified questions\n"
    return shop


def test_only_what_runs_is_added(verified: Shop) -> None:
    (verified.folder / "b.sql").write_text("select no from sales.orders")
    done = verified.run("verified", "add", "Which?", "--sql", "b.sql")
    assert (done.returncode, done.stdout) == (2, "")
    assert messages(done.stderr)[0].startswith("error: not added: refused (unknown_column)")
    assert checks(verified) == {LATE: "valid", ITEMS: "valid"}


def test_an_agent_sees_the_near_one_with_what_differs(
    verified: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = found_by_agents(verified, monkeypatch).splitlines()
    assert lines[0] == f"verified: “{LATE}”; yours adds “5”; lacks “3”"
    assert lines[1] == "  select count(*) from sales.orders where customer_id = 3"
    assert ITEMS not in "\n".join(lines)


def test_a_refresh_says_what_broke_and_ends_well_all_the_same(
    verified: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified.execute("""
        alter table sales.orders rename column customer_id to buyer_id;
        delete from stock.items;
    """)
    done = verified.run("refresh")
    assert done.returncode == 0, done.stderr
    said = [line for line in messages(done.stderr) if line.startswith("warning: verified")]
    assert said == [
        f"warning: verified question “{LATE}”: refused (unknown_column): "
        "there is no column customer_id",
        f"warning: verified question “{ITEMS}”: it gives no rows",
    ]
    assert checks(verified) == {LATE: "broken", ITEMS: "empty"}
    assert "verified: " not in found_by_agents(verified, monkeypatch)
    status: dict[str, Any] = json.loads(verified.run("status", "--format", "json").stdout)
    assert [item["outcome"] for item in status["verified"]] == ["broken", "empty"]


def test_a_wrong_file_is_told_and_fails_no_refresh(verified: Shop) -> None:
    path = verified.folder / "verified.yml"
    before = path.read_text()
    path.write_text("no list")
    done = verified.run("refresh", "--log-format", "json")
    path.write_text(before)
    assert done.returncode == 0, done.stderr
    stages = [json.loads(line) for line in done.stderr.splitlines()]
    [message] = [item["message"] for item in stages if item.get("stage") == "verified"]
    assert "not checked: verified.yml is not a list of questions" in message


def test_verified_questions_are_questions_of_an_evaluation(verified: Shop) -> None:
    done = verified.run("eval", "verified", "--strategy", "shortlist", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "not scored" in done.stderr  # the broken one
    assert json.loads(done.stdout)["summaries"][-1]["unscored"] == 1


def test_removing_one_leaves_nothing_of_it(verified: Shop) -> None:
    assert verified.run("verified", "remove", LATE).returncode == 0
    [kept] = (verified.folder / "state" / "verified").iterdir()
    assert LATE not in kept.read_text() + (verified.folder / "verified.yml").read_text()
    assert not kept.stat().st_mode & 0o077
