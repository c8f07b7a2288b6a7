"""Requests of single strategies, and how they use the replies."""

from pathlib import Path

from tests.linking.rules import columns_in, shown
from tests.linking.scripted_linkers import Asked, linked, names


def test_table_then_column_shows_columns_of_the_chosen_tables_alone(shop: Path) -> None:
    asked = Asked(TablesReply={"tables": ["crm.visits"]})
    schema = linked(shop, "table_then_column", asked)
    [prompt] = asked.get("ColumnsReply")
    assert [one["table"] for one in columns_in(shown(prompt)["columns"])] == ["crm.visits"]
    assert names(schema) < {
        "crm.visits.visit_id",
        "crm.visits.customer_id",
        "crm.visits.visited_on",
        "x",
    }


def test_hybrid_adds_what_words_of_the_question_name_and_says_which(shop: Path) -> None:
    plain = linked(shop, "table_then_column", Asked(TablesReply={"tables": ["crm.visits"]}))
    schema = linked(shop, "table_then_column_hybrid", Asked(TablesReply={"tables": ["crm.visits"]}))
    reasons = {f"{t.table.ref}.{c.column.path}": c.reason for t in schema.tables for c in t.columns}
    assert "sales.orders.amount" not in names(plain)
    assert reasons["sales.orders.amount"] == "name match: amount"
    assert reasons["sales.orders.status"] == "possible value match: 'paid' in status"
    assert reasons["crm.customers.country"] == "value match: 'Denmark' in country"
