"""AutoLink: start, actions, observations and end."""

import re
from pathlib import Path
from typing import Any

import pytest

from linker.errors import ModelError
from linker.linking.assemble_result import LinkRecord, replay
from linker.linking.result import LinkedSchema
from linker.strategies.autolink import initial_count
from linker.types import Catalog, Column, Columns, Table, TableRef
from tests.linking.rules import shown
from tests.linking.scripted_linkers import Asked, linked, names, record, steps


def told(shop: Path, schema: LinkedSchema) -> list[tuple[str, bool, str]]:
    """
    Of each action its name, whether it was done, and the observation, without the time it took.
    """
    run = record(shop, schema).run
    assert isinstance(run, LinkRecord)
    outcomes = [one for turn in run.turns for one in turn]
    return [
        (one.action.tool, one.is_done, re.sub(r"\d+\.\d\d s", "0.00 s", one.text))
        for one in outcomes
    ]


def explored(shop: Path, sql: str) -> str:
    schema = linked(shop, "autolink", Asked(StepReply=steps([{"tool": "explore", "sql": sql}])))
    return told(shop, schema)[0][2]


def small(columns: int) -> Catalog:
    made = tuple(Column(f"c{at}", f"c{at}", 0, at, "INT", True, None) for at in range(columns))
    return Catalog((Table(TableRef("s", "t"), "table", None, None, Columns(made)),), 1)


def test_a_small_warehouse_begins_with_thirty_columns_and_a_large_one_with_a_hundred() -> None:
    assert [initial_count(small(count)) for count in (1, 300, 301, 5_000)] == [30, 30, 100, 100]


@pytest.mark.parametrize(
    ("sql", "observed"),
    [
        (
            "select full_name, country from crm.customers order by 1",
            "[3 rows in all, 0.00 s; all are shown]\nfull_name | country\n--- | ---\n"
            "Ada | Denmark\nBob | France\nCyd | Denmark",
        ),
        (
            "select o.order_id, a.status from sales.orders o cross join sales.orders_archive a order by 1; -- all",
            "[8 rows in all, 0.00 s; the first 5 are shown]\norder_id | status\n--- | ---\n"
            "1 | paid\n1 | paid\n2 | paid\n2 | paid\n3 | paid\n… 3 more rows",
        ),
        ("select * from crm.visits where visit_id = 5", None),
        (
            "select status from sales.orders where status = 'nothing'",
            "[no rows were found, 0.00 s]",
        ),
    ],
)
def test_a_query_shows_five_rows_how_many_there_are_and_how_long_it_took(
    shop: Path, sql: str, observed: str | None
) -> None:
    text = explored(shop, sql)
    assert text == (observed or "[1 row in all, 0.00 s; all are shown]\n" + text.split("\n", 1)[1])
    if observed is None:
        assert text.splitlines()[1] == "visit_id | customer_id | visited_on"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select colour from sales.orders", "colour"),
        ("delete from sales.orders", "refused (not_a_query)"),
        ("select * from nowhere.nothing", "refused (unknown_table)"),
        ("select password_hash from crm.customers", "refused"),
        (
            "select cast(status as integer) from sales.orders",
            "DuckDB refused a statement: Conversion Error",
        ),
    ],
)
def test_an_error_is_told_in_the_words_of_who_refused_it(shop: Path, sql: str, said: str) -> None:
    text = explored(shop, sql)
    assert text.startswith("[error: ")
    assert said in text
    assert "SECRET" not in text


def test_a_query_that_takes_too_long_is_stopped_and_told_so(shop: Path) -> None:
    slow = "select count(*) from " + " cross join ".join(
        f"sales.orders as o{at}" for at in range(18)
    )
    # The rest of the run is less than the 120 seconds that a query may take; how much depends on
    # the time spent so far.
    schema = linked(
        shop, "autolink", Asked(StepReply=steps([{"tool": "explore", "sql": slow}])), timeout=6.0
    )
    [(_, is_done, text), *_] = told(shop, schema)
    assert not is_done
    assert re.fullmatch(r"\[error: the query was stopped after (1 second|[2-6] seconds)\]", text)


def test_rows_that_take_long_to_be_counted_are_shown_all_the_same(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linker.strategies.autolink_tools._COUNT_SECONDS", 1)
    many = "select o0.status from " + " cross join ".join(
        f"sales.orders as o{at}" for at in range(18)
    )
    lines = explored(shop, many).splitlines()
    assert lines[:2] == ["[at least 5 rows, 0.00 s; the first 5 are shown]", "status"]
    assert len(lines) == 3 + 5


def test_retrieve_brings_three_columns_that_were_not_seen_before(shop: Path) -> None:
    asked = Asked(
        StepReply=steps(
            [{"tool": "retrieve", "like": "visit"}], [{"tool": "retrieve", "like": "visit"}]
        )
    )
    schema = linked(shop, "autolink", asked)
    # All twenty columns are among the first thirty, except those of the archive, which the orders
    # represent.
    assert [one[1] for one in told(shop, schema)] == [False, False, True]
    assert told(shop, schema)[0][2] == "[no other column is near]"


def test_what_was_seen_is_not_found_again_and_add_links_it(shop: Path, few_at_first: None) -> None:
    retrieve = {"tool": "retrieve", "like": "visits of customers by day"}
    turns = steps(
        [retrieve],
        [retrieve, {"tool": "add", "items": ["crm.visits.visited_on", "crm.visits.colour"]}],
    )
    schema = linked(shop, "autolink", Asked(StepReply=turns))
    first, second, added, _ = told(shop, schema)
    columns = [re.findall(r"^  (\w+)", text, re.MULTILINE) for text in (first[2], second[2])]
    assert [len(one) for one in columns] == [3, 3]
    assert (
        added[2]
        == "added crm.visits.visited_on; there is no crm.visits.colour (near: crm.customers.country)"
    )
    reasons = {f"{t.table.ref}.{c.column.path}": c.reason for t in schema.tables for c in t.columns}
    assert reasons["crm.visits.visited_on"] == "added in turn 2"
    assert any(
        "added unknown tables or columns" in one and "colour" in one for one in schema.warnings
    )
    seen = dict(schema.seen)
    assert not set(seen["initial"]) & set(seen["retrieved"])
    assert replay(record(shop, schema)) == schema


@pytest.fixture
def few_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shop has fewer columns than the paper's agent begins with."""
    monkeypatch.setattr("linker.strategies.autolink._INITIAL_OF_SMALL", 2)


def test_add_never_stands_alone(shop: Path, few_at_first: None) -> None:
    add = {"tool": "add", "items": ["crm.visits.visited_on"]}
    schema = linked(shop, "autolink", Asked(StepReply=steps([add])))
    assert told(shop, schema)[0] == (
        "add",
        False,
        "add stands alone: with it explore, retrieve, verify or stop",
    )
    assert "crm.visits.visited_on" not in names(schema)
    schema = linked(shop, "autolink", Asked(StepReply=steps([add, {"tool": "stop"}])))
    assert "crm.visits.visited_on" in names(schema)


def test_verify_runs_the_query_and_says_what_is_not_linked_yet(
    shop: Path, few_at_first: None
) -> None:
    sql = "select o.amount from sales.orders as o where o.status = 'paid' order by 1"
    schema = linked(shop, "autolink", Asked(StepReply=steps([{"tool": "verify", "sql": sql}])))
    lines = told(shop, schema)[0][2].splitlines()
    assert lines[:4] == ["[2 rows in all, 0.00 s; all are shown]", "amount", "---", "7.25"]
    assert lines[-1] == "[not linked yet: sales.orders.amount]"


def test_the_agent_reads_its_earlier_turns_and_what_is_linked(
    shop: Path, few_at_first: None
) -> None:
    turn = [
        {"tool": "explore", "sql": "select 1 from crm.visits"},
        {"tool": "add", "items": ["crm.visits.visit_id"]},
    ]
    asked = Asked(StepReply=steps(turn))
    linked(shop, "autolink", asked)
    first, second = (shown(prompt) for prompt in asked.get("StepReply"))
    assert first["history"] == "none yet"
    assert (
        "turn 1: thought 1\n- explore select 1 from crm.visits\n[2 rows in all" in second["history"]
    )
    assert "visit_id" in second["linked"]
    assert "visit_id" not in first["linked"]
    assert "crm.visits" in first["tables"]


def test_ten_turns_are_the_most(shop: Path) -> None:
    asked = Asked(
        StepReply=steps(
            *[[{"tool": "explore", "sql": f"select {n} from crm.visits"}] for n in range(20)]
        )
    )
    schema = linked(shop, "autolink", asked)
    assert len(asked.prompts) == 10
    assert schema.warnings == ()


def test_what_is_no_action_is_answered_and_two_turns_of_nothing_end_the_run(shop: Path) -> None:
    asked = Asked(StepReply={"actions": [{"tool": "drop_table", "name": "x"}]})
    schema = linked(shop, "autolink", asked)
    assert len(asked.prompts) == 2
    assert "the actions are explore, retrieve, verify, add, stop" in told(shop, schema)[0][2]
    assert any("took no action for two turns" in one for one in schema.warnings)


def test_the_same_look_twice_is_not_taken_again(shop: Path) -> None:
    look: list[dict[str, Any]] = [{"tool": "explore", "sql": "select 1 from crm.visits"}]
    schema = linked(shop, "autolink", Asked(StepReply=steps(look, look)))
    assert told(shop, schema)[1] == ("explore", False, "asked in turn 1, and answered there")


def test_no_probe_runs_beyond_the_limit(shop: Path) -> None:
    look = [{"tool": "explore", "sql": f"select {n} from crm.visits"} for n in range(4)]
    schema = linked(shop, "autolink", Asked(StepReply=steps(look)), max_probes=3)
    assert sum(one.cost.probes for one in schema.cost) == 3
    assert (
        "[error: the limit of 3 probes is reached at the step `turns`]" in told(shop, schema)[3][2]
    )


def test_a_model_that_fails_in_the_middle_leaves_what_was_linked_until_then(
    shop: Path, few_at_first: None
) -> None:
    def answer(prompt: Any) -> Any:
        if "This is turn 1 " in prompt.content:
            add = {"tool": "add", "items": ["crm.visits.visited_on"]}
            return {"actions": [{"tool": "retrieve", "like": "visits"}, add]}
        return ModelError("it refused", hint="", code="refused")

    schema = linked(shop, "autolink", Asked(StepReply=answer))
    assert "crm.visits.visited_on" in names(schema)
    assert any("it refused" in one for one in schema.warnings)
