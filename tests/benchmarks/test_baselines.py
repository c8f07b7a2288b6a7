"""Requests of single baselines to a model, and how they use the replies."""

from pathlib import Path

import pytest

from benchmarks.baselines.cross_encoder import CrossEncoderStrategy
from linker.errors import ConfigError
from linker.pipeline import link
from tests.linking.rules import shown
from tests.linking.scripted_linkers import NEEDED, QUERY, Asked, linked, names, record, standing
from tests.linking.shop import QUESTION, ShopEnvironment


def test_single_column_shows_one_column_a_prompt_with_its_table_and_values(shop: Path) -> None:
    asked = Asked()
    schema = linked(shop, "single_column", asked)
    views = [shown(prompt)["column"] for prompt in asked.get("ColumnReply")]
    assert all(len(view.splitlines()) == 2 for view in views)
    [status] = [view for view in views if " status" in view]
    heading = "sales.orders (same columns: sales.orders_archive)"
    assert status == f"{heading}\n status · category; one of paid, open, cancelled"
    assert standing(schema)["sales.orders.amount"] == (None, None)


def test_mcs_shows_the_same_columns_five_times_in_other_orders_with_other_looks(shop: Path) -> None:
    asked = Asked()
    linked(shop, "mcs", asked)
    views = [shown(prompt)["columns"] for prompt in asked.get("ColumnsReply")]
    assert len({view.splitlines()[0] for view in views}) > 1
    assert len({tuple(sorted(view.splitlines())) for view in views}) == 1
    assert (
        len(
            {
                prompt.content.split("Begin with")[1].split(".")[0]
                for prompt in asked.get("ColumnsReply")
            }
        )
        == 5
    )


def test_mcs_merges_and_counts_what_each_prompt_chose(shop: Path) -> None:
    def columns(prompt: object) -> object:
        is_one = "Begin with the conditions" in prompt.content  # type: ignore[attr-defined]
        return {
            "tables": [
                {
                    "table": "sales.orders",
                    "columns": ["amount", *(["ordered_on"] if is_one else [])],
                }
            ]
        }

    found = standing(linked(shop, "mcs", Asked(ColumnsReply=columns)))
    # Five of five: 1 - 1/64. One of five: the chance of at most one head in six throws, 7/64.
    assert found["sales.orders.amount"] == ("required", 63 / 64)
    assert found["sales.orders.ordered_on"] == ("pending", 7 / 64)


def test_sql_to_schema_takes_what_the_queries_use(shop: Path) -> None:
    schema = linked(shop, "sql_to_schema", Asked())
    assert names(schema) == NEEDED
    assert set(standing(schema).values()) == {("required", 63 / 64)}


def test_sql_that_cannot_be_read_is_told_once_and_then_left_out(shop: Path) -> None:
    asked = Asked(SqlReply={"sql": "drop table sales.orders"})
    schema = linked(shop, "rsl", asked)
    assert [shown(prompt).get("problem") for prompt in asked.get("SqlReply")] == [
        None,
        "it is not one select",
    ]
    assert schema.warnings == (
        "a query of the language model could not be read: it is not one select",
    )
    # What was chosen forward is all there is.
    assert names(schema) >= NEEDED


def test_rsl_is_the_union_of_what_was_chosen_and_what_is_used(shop: Path) -> None:
    chosen = {"tables": [{"table": "sales.orders", "columns": ["ordered_on", "amount"]}]}
    found = standing(linked(shop, "rsl", Asked(ColumnsReply=chosen)))
    assert set(found) == NEEDED | {"sales.orders.ordered_on"}
    assert found["sales.orders.amount"] == ("required", 0.875)
    assert found["sales.orders.ordered_on"] == ("pending", 0.5)


def test_nothing_that_a_model_writes_as_sql_is_run(shop: Path) -> None:
    for name in ("sql_to_schema", "rsl"):
        schema = linked(shop, name, Asked(SqlReply={"sql": QUERY}))
        assert sum(one.cost.probes for one in schema.cost) == 0


@pytest.mark.parametrize(
    ("name", "way"), [("retrieval_dense", "by meaning"), ("retrieval_lexical", "by words")]
)
def test_retrieval_takes_the_best_of_one_way_within_the_budget_and_adds_keys_alone(
    shop: Path, name: str, way: str
) -> None:
    schema = linked(shop, name, None, column_budget=3)
    reasons = [c.reason for t in schema.tables for c in t.columns]
    assert sorted(reason.split(";")[0] for reason in reasons if reason.startswith("place")) == [
        f"place {place} {way}" for place in (1, 2, 3)
    ]
    others = [one for one in reasons if not one.startswith("place")]
    assert all(
        one.startswith(("join key to ", "value match: ")) or "question names" in one
        for one in others
    )


def test_retrieval_that_finds_nothing_by_words_says_so(shop: Path) -> None:
    schema = linked(shop, "retrieval_lexical", None, "zzz")
    assert schema.warnings == ("nothing was found by words; the answer falls back to the ranking",)


class BackwardsReranker:
    """Puts what it reads last first."""

    def scores(self, question: str, texts: list[str]) -> list[float]:
        assert question == QUESTION
        return [float(place) for place, _ in enumerate(texts)]


def test_the_order_of_the_cross_encoder_counts(shop: Path) -> None:
    with ShopEnvironment(shop, None, column_budget=2) as environment:
        environment.__dict__["reranker"] = BackwardsReranker()
        schema = link(QUESTION, environment, CrossEncoderStrategy())
    read = dict(schema.seen)["read again"]
    assert dict(schema.seen)["budget"] == tuple(reversed(read))[:2]
    assert record(shop, schema).run is not None


def test_without_a_cross_encoder_the_strategy_of_its_name_says_so(shop: Path) -> None:
    told = "`cross_encoder` needs a cross-encoder, and none is configured"
    with ShopEnvironment(shop) as environment, pytest.raises(ConfigError, match=told):
        link(QUESTION, environment, CrossEncoderStrategy())
