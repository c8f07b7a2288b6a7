"""Near-duplicates: shown to a model if they add columns, and added on request."""

from pathlib import Path
from typing import Any

import pytest

from linker.models import Prompt
from tests.linking.rules import shown
from tests.linking.scripted_linkers import Asked, linked, names

ORDERS = "sales.orders"
ARCHIVE = "sales.orders_archive"
COLUMNS = ["amount", "ordered_on"]


def one(prompt: Prompt) -> dict[str, Any]:
    """
    One hypothesis over the orders; where it is shown that the archive is meant, that one instead.
    """
    if "near_duplicates" in shown(prompt):
        instead = {"tool": "keep", "items": [ARCHIVE], "reason": "has the year"}
        return {
            "decide": [instead, {"tool": "discard", "items": [ORDERS], "reason": "begins in 2025"}]
        }
    return {
        "hypotheses": [{"summary": "orders", "tables": [{"table": ORDERS, "columns": COLUMNS}]}]
    }


def test_a_copy_that_has_the_days_asked_for_is_shown_with_its_days_and_may_take_the_place(
    shop: Path,
) -> None:
    asked = Asked(PanoramaReply=one)
    schema = linked(
        shop, "evilink", asked, "What was the total amount of orders in January 2019?", recall=0.0
    )
    first, decision = asked.get("PanoramaReply")
    assert "near_duplicates" not in shown(first)
    # Of the shop: four orders of 2025, and two in the archive, both of January 2019.
    assert shown(decision)["near_duplicates"] == (
        "sales.orders (4 rows; ordered_on 2025-01-01 to 2025-03-09, not as asked for) is nearly the same as "
        "sales.orders_archive (2 rows; ordered_on 2019-01-01 to 2019-01-02), which has amount, ordered_on as well"
    )
    assert {name for name in names(schema) if name.startswith("sales.")} >= {
        f"{ARCHIVE}.{item}" for item in COLUMNS
    }
    assert not any(name.startswith(f"{ORDERS}.") for name in names(schema))


def two(prompt: Prompt) -> dict[str, Any]:
    """
    Two hypotheses, over the orders and over the visits; what they disagree about stays undecided.
    """
    if "tables" not in shown(prompt):
        return {}
    visits = {"table": "crm.visits", "columns": ["visit_id", "visited_on"]}
    return {
        "hypotheses": [
            {"summary": "orders", "tables": [{"table": ORDERS, "columns": COLUMNS}]},
            {"summary": "visits", "tables": [visits]},
        ]
    }


# Of the shop: orders of 2025, visits of 2024.
@pytest.mark.parametrize(
    ("question", "calls"), [("How much came in?", 1), ("How much came in in March 2025?", 2)]
)
def test_a_model_is_asked_what_it_disagrees_about_where_something_that_was_measured_speaks_against_it(
    shop: Path, question: str, calls: int
) -> None:
    asked = Asked(PanoramaReply=two)
    schema = linked(shop, "evilink", asked, question, recall=0.0)
    assert len(asked.prompts) == calls
    if calls > 1:
        assert "visited_on" in shown(asked.prompts[-1][1])["disputed"]
    assert {f"{ORDERS}.{item}" for item in COLUMNS} | {"crm.visits.visited_on"} <= names(schema)


@pytest.mark.parametrize("period", ["in February 2025", "since 2018", "altogether"])
def test_a_model_is_not_asked_about_a_copy_that_has_nothing_which_the_chosen_table_lacks(
    shop: Path, period: str
) -> None:
    asked = Asked(PanoramaReply=one)
    schema = linked(
        shop, "evilink", asked, f"What was the total amount of orders {period}?", recall=0.0
    )
    assert len(asked.prompts) == 1
    assert {f"{ORDERS}.{item}" for item in COLUMNS} <= names(schema)
