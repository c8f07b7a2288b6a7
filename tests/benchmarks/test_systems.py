"""Requests of the published systems to a model, and how they use the replies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.keyword_model import answer_by_keywords
from linker.models import Prompt
from linker.pipeline import link
from linker.strategies import open_strategy
from tests.linking.rules import columns_in, shown
from tests.linking.scripted_linkers import NEEDED, Asked, linked, names, standing
from tests.linking.test_size import QUESTION as LARGE
from tests.linking.test_size import GeneratedEnvironment

SYSTEMS = (
    "apex_sql",
    "bidirectional",
    "c3_sql",
    "chess",
    "din_sql",
    "dsr_sql",
    "e_sql",
    "linkalign",
    "linkalign_agent",
    "mac_sql",
    "reforce",
    "solid_sql",
    "ta_sql",
)
ORDERS = {
    "sales.orders.order_id",
    "sales.orders.customer_id",
    "sales.orders.status",
    "sales.orders.amount",
}


def columns_of(table: str, *columns: str) -> dict[str, Any]:
    return {"tables": [{"table": table, "columns": list(columns)}]}


def in_turn(*replies: Any) -> Callable[[Prompt], Any]:
    """Replies in order of the requests; the last one repeats."""
    left = list(replies)
    return lambda _prompt: left.pop(0) if len(left) > 1 else left[0]


def test_ta_sql_takes_names_of_its_query_from_all_tables_of_it(shop: Path) -> None:
    # The key occurs once and is used for both tables.
    query = "select o.customer_id, c.country from sales.orders o, crm.customers c where c.full_name = 'Ada'"
    asked = Asked(SqlReply={"sql": query})
    schema = linked(shop, "ta_sql", asked)
    assert asked.kinds == ["SqlReply"]
    chosen = {"sales.orders.customer_id", "crm.customers.customer_id", "crm.customers.country"}
    assert chosen | {"crm.customers.full_name"} <= names(schema)
    assert standing(schema)["crm.customers.customer_id"] == (None, None)


def test_din_sql_asks_for_the_steps_before_the_columns(shop: Path) -> None:
    asked = Asked(
        LinksReply={"text": "total amount: orders.amount", **columns_of("sales.orders", "amount")}
    )
    schema = linked(shop, "din_sql", asked)
    [prompt] = asked.get("LinksReply")
    assert "phrase" in prompt.instructions
    assert {one["table"] for one in columns_in(shown(prompt)["columns"])} >= {
        "sales.orders",
        "crm.customers",
    }
    assert "sales.orders.amount" in names(schema)
    assert "sales.orders.etl_batch" not in names(schema)


def test_mac_sql_keeps_small_tables_whole_cuts_others_and_adds_their_keys(shop: Path) -> None:
    said = {"whole": ["crm.visits"], **columns_of("sales.orders", "amount", "status")}
    schema = linked(shop, "mac_sql", Asked(SelectionReply=said))
    visits = {"crm.visits.visit_id", "crm.visits.customer_id", "crm.visits.visited_on"}
    assert visits | {"sales.orders.amount", "sales.orders.status"} <= names(schema)
    # Identifiers and foreign keys of the profile, although unnamed.
    assert {"sales.orders.customer_id"} <= names(schema)
    assert not {"sales.orders.etl_batch", "sales.orders.ordered_on"} & names(schema)


def test_mac_sql_tells_a_table_that_does_not_exist_once(shop: Path) -> None:
    said = {"whole": ["crm.pigeons"], **columns_of("sales.orders", "amount")}
    asked = Asked(SelectionReply=said)
    schema = linked(shop, "mac_sql", asked)
    first, again = asked.get("SelectionReply")
    assert "unknown" not in shown(first)
    assert shown(again)["unknown"].startswith("crm.pigeons")
    assert any("crm.pigeons" in one for one in schema.warnings)


def test_c3_sql_takes_the_commonest_tables_and_what_leads_their_columns_most_often(
    shop: Path,
) -> None:
    # Three of five answers agree on the tables, in whatever order they rank them.
    pair, other = {"tables": ["sales.orders", "crm.customers"]}, {"tables": ["crm.visits"]}
    turned = {"tables": ["crm.customers", "sales.orders"]}
    ranked = columns_of("sales.orders", "amount", "status", "customer_id", "order_id", "ordered_on")
    asked = Asked(TablesReply=in_turn(pair, other, turned, other, pair), ColumnsReply=ranked)
    schema = linked(shop, "c3_sql", asked, model_concurrency=1)
    assert asked.kinds == ["TablesReply"] * 5 + ["ColumnsReply"] * 5
    assert {str(one.table.ref) for one in schema.tables} == {"sales.orders", "crm.customers"}
    # Of each ranking the first four count.
    assert names(schema) >= ORDERS
    assert "sales.orders.ordered_on" not in names(schema)


def test_dail_sql_hands_over_the_whole_schema_and_asks_nothing(shop: Path) -> None:
    asked = Asked()
    schema = linked(shop, "dail_sql", asked)
    assert not asked.prompts
    assert {
        "sales.orders.etl_batch",
        "sales.orders_archive.amount",
        "crm.visits.visited_on",
    } <= names(schema)


def test_chess_filters_column_by_column_then_selects_tables_and_columns_of_what_passed(
    shop: Path,
) -> None:
    def relevant(prompt: Prompt) -> Any:
        return {
            "relevant": shown(prompt)["column"]
            .splitlines()[-1]
            .strip()
            .startswith(("amount", "full_name"))
        }

    asked = Asked(KeywordsReply={"keywords": ["status", "Denmark"]}, ColumnReply=relevant)
    schema = linked(shop, "chess", asked)
    assert asked.kinds == ["KeywordsReply", *["ColumnReply"] * 14, "TablesReply", "ColumnsReply"]
    [tables], [columns] = asked.get("TablesReply"), asked.get("ColumnsReply")
    # A keyword that calls a column brings it besides; the value that another names is shown.
    passed = {
        f"{one['table']}.{path}"
        for one in columns_in(shown(columns)["columns"])
        for path in one["columns"]
    }
    assert passed >= {"sales.orders.amount", "sales.orders.status", "crm.customers.full_name"}
    assert "sales.orders.ordered_on" not in passed
    assert shown(tables)["hints"] == "crm.customers.country = Denmark"
    assert {"sales.orders.amount", "sales.orders.status"} <= names(schema)


def test_linkalign_searches_with_what_is_missing_leaves_out_the_irrelevant_and_extracts(
    shop: Path,
) -> None:
    asked = Asked(
        TextReply={"text": "who visited, and when"},
        DroppedReply=columns_of("sales.orders", "etl_batch"),
    )
    schema = linked(shop, "linkalign", asked)
    assert asked.kinds == ["TextReply", "DroppedReply", "ColumnsReply"]
    assert "You judge what is missing" in asked.get("TextReply")[0].content
    assert "etl_batch" in shown(asked.get("DroppedReply")[0])["columns"]
    assert (
        "etl_batch"
        not in shown(asked.get("ColumnsReply")[0])["columns"].split("sales.orders_archive")[0]
    )
    assert names(schema) >= NEEDED


def test_linkalign_finds_no_column_twice_and_more_with_the_words_of_a_model(tmp_path: Path) -> None:
    asked = Asked(TextReply={"text": "ranks of all things"}, ColumnsReply={"tables": []})
    with GeneratedEnvironment(tmp_path, asked, 900) as environment:
        link(LARGE, environment, open_strategy("linkalign"))
    [missing], [sifted] = asked.get("TextReply"), asked.get("DroppedReply")
    # Fifty in each round of a warehouse of 501 to 1,000 columns.
    for prompt, count in ((missing, 50), (sifted, 100)):
        tables = columns_in(shown(prompt)["columns"])
        assert sum(len(table["columns"]) for table in tables) == count


def test_linkalign_by_agents_debates_what_is_irrelevant_only_where_much_was_found(
    shop: Path, tmp_path: Path
) -> None:
    small = Asked()
    linked(shop, "linkalign_agent", small)
    assert small.kinds == ["TextReply"] * 8 + ["ColumnsReply"]
    large = Asked()
    with GeneratedEnvironment(tmp_path, large, 900) as environment:
        schema = link(LARGE, environment, open_strategy("linkalign_agent"))
    # Five rounds of a judge and an annotator, two debates of four, one round more, four who
    # extract.
    assert large.kinds.count("TextReply") == 5 * 2 + 2 * 4 + 2 + 4
    assert large.kinds.count("DroppedReply") == 2
    assert schema.tables


def test_e_sql_turns_literals_of_a_draft_into_predicates_and_writes_again(shop: Path) -> None:
    enriched = {
        "text": "Sum orders.amount of customers in Denmark",
        **columns_of("crm.customers", "country"),
    }
    asked = Asked(
        LinksReply=enriched,
        SqlReply={"sql": "select o.amount from sales.orders o where o.status = 'paid'"},
    )
    schema = linked(shop, "e_sql", asked)
    assert asked.kinds == ["SqlReply", "LinksReply", "SqlReply"]
    assert "sales.orders.status = paid" in shown(asked.get("LinksReply")[0])["predicates"]
    assert shown(asked.get("SqlReply")[1])["hints"].startswith(
        "Sum orders.amount of customers in Denmark\n"
    )
    # Two of three queries: of four throws at most two heads, 11/16; one of three: at most one,
    # 5/16.
    assert standing(schema)["sales.orders.amount"] == ("pending", 11 / 16)
    assert standing(schema)["crm.customers.country"] == ("pending", 5 / 16)


def test_solid_sql_chooses_for_each_wording_and_counts(shop: Path) -> None:
    def columns(prompt: Prompt) -> Any:
        is_reworded = "hints" in shown(prompt)
        return columns_of("sales.orders", "amount", *(["ordered_on"] if is_reworded else []))

    asked = Asked(ColumnsReply=columns)
    schema = linked(shop, "solid_sql", asked)
    assert asked.kinds == ["QuestionsReply", *["ColumnsReply"] * 3]
    # Three of three: 1 - 1/16; two of three: 11/16.
    assert standing(schema)["sales.orders.amount"] == ("required", 15 / 16)
    assert standing(schema)["sales.orders.ordered_on"] == ("pending", 11 / 16)


def test_reforce_asks_table_by_table_then_looks_at_rows_and_writes_with_what_it_saw(
    shop: Path,
) -> None:
    def judged(prompt: Prompt) -> Any:
        [table] = columns_in(shown(prompt)["columns"])
        return {"relevant": table["table"] == "sales.orders", "columns": ["amount"]}

    queries = ["select distinct status from sales.orders", "delete from sales.orders"]
    asked = Asked(
        TableReply=judged, TextReply={"text": "one number"}, QueriesReply={"queries": queries}
    )
    schema = linked(shop, "reforce", asked)
    assert asked.kinds == ["TableReply"] * 3 + ["TextReply", "QueriesReply", "SqlReply"]
    # Copies are asked for once.
    assert (
        sum(
            "sales.orders_archive" in shown(prompt)["columns"] for prompt in asked.get("TableReply")
        )
        == 1
    )
    hints = shown(asked.get("SqlReply")[0])["hints"]
    assert hints.startswith("one number\nselect distinct status from sales.orders\n-> 3 rows")
    assert "delete from sales.orders\n-> refused" in hints
    assert sum(one.cost.probes for one in schema.cost) == 1
    # Two of two: 1 - 1/8; one of two is even.
    assert standing(schema)["sales.orders.amount"] == ("required", 0.875)
    assert standing(schema)["crm.customers.country"] == ("pending", 0.5)


def test_dsr_sql_keeps_the_tables_of_most_drafts_whole_but_for_columns_that_tell_nothing(
    shop: Path,
) -> None:
    orders = {"sql": "select o.amount from sales.orders o"}
    drafts = [orders, {"sql": "select v.visit_id from crm.visits v"}, orders, orders]
    asked = Asked(SqlReply=in_turn(*drafts))
    schema = linked(shop, "dsr_sql", asked, model_concurrency=1)
    assert asked.kinds == ["SqlReply"] * 3 + ["QueriesReply", "TextReply", "SqlReply"]
    assert "3 rows" in shown(asked.get("TextReply")[0])["rows"]
    assert standing(schema)["sales.orders.amount"] == ("required", 0.875)
    assert standing(schema)["sales.orders.ordered_on"] == ("pending", 0.5)
    # One value in all rows; and a table of one draft only.
    assert not {"sales.orders.etl_batch", "crm.visits.visit_id"} & names(schema)


def test_apex_sql_plans_without_a_schema_prunes_both_ways_looks_and_joins_it_up(shop: Path) -> None:
    def columns(prompt: Prompt) -> Any:
        is_last = "-> 3 rows" in shown(prompt)["hints"]
        return columns_of(
            "sales.orders", "amount", *(["customer_id"] if is_last else ["etl_batch"])
        )

    out = columns_of("sales.orders", "etl_batch", "order_id", "ordered_on")
    asked = Asked(ColumnsReply=columns, DroppedReply=out)
    schema = linked(shop, "apex_sql", asked, model_concurrency=1)
    assert asked.kinds[:4] == ["TextReply"] * 4
    assert not any("sales.orders" in prompt.content for prompt in asked.get("TextReply"))
    [_, last] = asked.get("ColumnsReply")
    left = {
        f"{one['table']}.{path}"
        for one in columns_in(shown(last)["columns"])
        for path in one["columns"]
    }
    # What one way selects or the other does not drop stays.
    assert {"sales.orders.etl_batch", "sales.orders.status"} <= left
    assert not {"sales.orders.order_id", "sales.orders.ordered_on"} & left
    assert {"sales.orders.amount", "sales.orders.customer_id"} <= names(schema)
    assert "sales.orders.etl_batch" not in names(schema)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_rule_that_stands_for_a_model_in_benchmarks_answers_whatever_is_asked(
    shop: Path, name: str
) -> None:
    schema = linked(shop, name, answer_by_keywords)
    assert schema.tables
    assert not [one for one in schema.warnings if "was not answered" in one]
