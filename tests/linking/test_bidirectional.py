"""Bidirectional linking: decomposition, input of each direction, vote."""

from pathlib import Path

from tests.linking.rules import columns_in, shown
from tests.linking.scripted_linkers import NEEDED, Asked, linked, names, standing


def test_bidirectional_takes_the_question_apart_and_shows_that_in_both_directions(
    shop: Path,
) -> None:
    asked = Asked()
    linked(shop, "bidirectional", asked)
    assert sorted(asked.kinds[:2]) == ["KeywordsReply", "QuestionsReply"]
    assert sorted(asked.kinds[2:]) == ["ColumnsReply", "ColumnsReply", "TablesReply", "TablesReply"]
    hints = [
        shown(prompt)["hints"]
        for kind in ("TablesReply", "ColumnsReply")
        for prompt in asked.get(kind)
    ]
    expected = (
        "subquestion: Which customers live in Denmark?\nsubquestion: What did they pay?\n"
        "keywords: total amount, orders\ncondition: paid\ncondition: in Denmark"
    )
    assert hints == [expected] * 4
    # Column first: its tables are chosen with the columns in view. Table first: columns of the
    # chosen tables alone.
    chosen = [shown(prompt).get("chosen", "") for prompt in asked.get("TablesReply")]
    assert sorted(bool(one) for one in chosen) == [False, True]
    of_tables = []
    for p in asked.get("ColumnsReply"):
        of_tables.append({one["table"] for one in columns_in(shown(p)["columns"])})
    assert {"sales.orders", "crm.customers"} in of_tables
    assert {"sales.orders", "crm.customers", "crm.visits"} in of_tables


def test_bidirectional_is_the_union_and_what_both_directions_chose_is_required(shop: Path) -> None:
    def columns(prompt: object) -> object:
        data = shown(prompt)  # type: ignore[arg-type]
        is_first = "crm.visits" not in data["columns"]
        chosen = ["amount", "status"] if is_first else ["amount", "ordered_on"]
        return {"tables": [{"table": "sales.orders", "columns": chosen}]}

    schema = linked(shop, "bidirectional", Asked(ColumnsReply=columns))
    found = standing(schema)
    # Two of two: P(p > 1/2) of Beta(3, 1) is 1 - 1/8; one of two is even.
    assert found["sales.orders.amount"] == ("required", 0.875)
    assert found["sales.orders.status"] == found["sales.orders.ordered_on"] == ("pending", 0.5)


def test_bidirectional_goes_on_without_what_could_not_be_taken_apart(shop: Path) -> None:
    schema = linked(shop, "bidirectional", Asked(KeywordsReply={"nonsense": 1}))
    assert names(schema) >= NEEDED
    assert any("step `augmentation`" in one for one in schema.warnings)
