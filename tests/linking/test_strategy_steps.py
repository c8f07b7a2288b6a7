"""What single strategies ask, in which order and of what, and what they make of the answers."""

from pathlib import Path

from tests.linking.linkers import NEEDED, Asked, linked, names, standing
from tests.linking.rules import columns_in, shown


def test_bidirectional_takes_the_question_apart_and_shows_that_in_both_directions(shop: Path) -> None:
    asked = Asked()
    linked(shop, "bidirectional", asked)
    assert sorted(asked.kinds[:2]) == ["SaidKeywords", "SaidSubquestions"]
    assert sorted(asked.kinds[2:]) == ["SaidColumns", "SaidColumns", "SaidTables", "SaidTables"]
    hints = [shown(prompt)["hints"] for kind in ("SaidTables", "SaidColumns") for prompt in asked.of(kind)]
    expected = (
        "subquestion: Which customers live in Denmark?\nsubquestion: What did they pay?\n"
        "keywords: total amount, orders\ncondition: paid\ncondition: in Denmark"
    )
    assert hints == [expected] * 4
    # Column first: its tables are chosen with the columns in view. Table first: columns of the chosen tables alone.
    chosen = [shown(prompt).get("chosen", "") for prompt in asked.of("SaidTables")]
    assert sorted(bool(one) for one in chosen) == [False, True]
    of_tables = [{one["table"] for one in columns_in(shown(p)["columns"])} for p in asked.of("SaidColumns")]
    assert {"sales.orders", "crm.customers"} in of_tables
    assert {"sales.orders", "crm.customers", "crm.visits"} in of_tables


def test_bidirectional_is_the_union_and_what_both_directions_chose_is_required(shop: Path) -> None:
    def columns(prompt: object) -> object:
        data = shown(prompt)  # type: ignore[arg-type]
        is_first = "crm.visits" not in data["columns"]
        chosen = ["amount", "status"] if is_first else ["amount", "ordered_on"]
        return {"tables": [{"table": "sales.orders", "columns": chosen}]}

    schema = linked(shop, "bidirectional", Asked(SaidColumns=columns))
    found = standing(schema)
    # Two of two: P(p > 1/2) of Beta(3, 1) is 1 - 1/8; one of two is even.
    assert found["sales.orders.amount"] == ("required", 0.875)
    assert found["sales.orders.status"] == found["sales.orders.ordered_on"] == ("pending", 0.5)


def test_bidirectional_goes_on_without_what_could_not_be_taken_apart(shop: Path) -> None:
    schema = linked(shop, "bidirectional", Asked(SaidKeywords={"nonsense": 1}))
    assert names(schema) >= NEEDED
    assert any("step `augmentation`" in one for one in schema.warnings)


def test_table_then_column_shows_columns_of_the_chosen_tables_alone(shop: Path) -> None:
    asked = Asked(SaidTables={"tables": ["crm.visits"]})
    schema = linked(shop, "table_then_column", asked)
    [prompt] = asked.of("SaidColumns")
    assert [one["table"] for one in columns_in(shown(prompt)["columns"])] == ["crm.visits"]
    assert names(schema) < {"crm.visits.visit_id", "crm.visits.customer_id", "crm.visits.visited_on", "x"}


def test_hybrid_adds_what_words_of_the_question_name_and_says_which(shop: Path) -> None:
    plain = linked(shop, "table_then_column", Asked(SaidTables={"tables": ["crm.visits"]}))
    schema = linked(shop, "table_then_column_hybrid", Asked(SaidTables={"tables": ["crm.visits"]}))
    reasons = {f"{t.table.ref}.{c.column.path}": c.reason for t in schema.tables for c in t.columns}
    assert "sales.orders.amount" not in names(plain)
    assert reasons["sales.orders.amount"] == "the question says amount"
    assert reasons["sales.orders.status"] == "“paid” may be its value paid"
    assert reasons["crm.customers.country"] == "holds Denmark"
