"""Calibrated probabilities and answer size, worked out by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.evaluation.summary import expected_error
from linker.evaluation.training import fit
from linker.ranking.calibration import (
    Likelihoods,
    likelihood_features,
    likelihoods,
)
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.column_selection import allocate, cut
from linker.ranking.ranker import RankingResult, probability, rank
from linker.ranking.weights import Regression, Weights, read_weights, stacked
from linker.types import Catalog, Table
from tests.tables import table

SHOP = (
    table("customers", "customer_id", "full_name", "city", "signup_date"),
    table("orders", "order_id", "customer_id", "order_date", "total_amount", "channel"),
    table("orders_2019", "order_id", "customer_id", "order_date", "total_amount", "channel"),
    table("suppliers", "supplier_id", "supplier_name", "country"),
    table("warehouses", "warehouse_id", "capacity", "manager", "country"),
)
QUESTIONS = (
    "total of orders by city",
    "capacity of warehouses",
    "all information about suppliers",
    "",
    "zyzzyva",
)


def ranked(question: str, tables: tuple[Table, ...] = SHOP) -> RankingResult:
    return rank(question, build_catalog_index(Catalog(tables, len(tables))), read_weights())


def simple() -> Weights:
    """Chances as the odds say them, and answers the less complete the more is missed."""
    odds = Regression(("odds",), (0.0,), (1.0,), (1.0,), 0.0)
    missed = Regression(("missed",), (0.0,), (1.0,), (-1.0,), 0.0)
    return replace(read_weights(), likely_tables=odds, likely_columns=odds, complete=missed)


def of(
    question: str, odds: dict[str, float], tables: tuple[Table, ...] = SHOP
) -> tuple[RankingResult, Likelihoods]:
    """A ranking in which the columns that are named have these odds, and all others hardly any."""
    ranking = ranked(question, tables)
    refs = [f"{ref.table.name}.{ref.path}" for ref in ranking.index.lexicon.refs]
    columns = np.array([odds.get(ref, -20.0) for ref in refs], dtype=np.float32)
    ranking = replace(ranking, columns=columns)
    return ranking, likelihoods(ranking, simple())


def places(ranking: RankingResult, *names: str) -> list[int]:
    refs = [f"{ref.table.name}.{ref.path}" for ref in ranking.index.lexicon.refs]
    return [refs.index(name) for name in names]


def test_an_answer_is_as_complete_as_what_it_misses_is_unlikely() -> None:
    ranking, likely = of("total", {"customers.city": 0.0, "suppliers.country": math.log(3)})
    both = places(ranking, "customers.city", "suppliers.country")
    # Without the column of 3 to 1 the miss is log 4, and one to log 4 are the odds that nothing is
    # missed.
    assert likely.complete(both[:1]) == pytest.approx(1 / (1 + math.log(4)), abs=0.002)
    assert likely.complete(both[1:]) == pytest.approx(1 / (1 + math.log(2)), abs=0.002)
    assert likely.complete(both) > 0.99
    assert likely.complete([]) == 0


def test_a_copy_stands_for_the_same_column_of_the_other_table() -> None:
    ranking, likely = of("total", {"orders.total_amount": 2.0, "orders_2019.total_amount": 1.0})
    one, other = places(ranking, "orders.total_amount", "orders_2019.total_amount")
    assert likely.complete([one]) == likely.complete([other]) == likely.complete([one, other])
    assert likely.complete([one]) > 0.99


def test_where_all_about_something_is_asked_for_every_column_is_as_likely_as_its_table() -> None:
    ranking = ranked("all information about suppliers")
    likely = likelihoods(ranking, simple())
    assert (likely.columns >= likely.tables[ranking.index.lexicon.table_of] - 1e-6).all()


@given(st.sampled_from(QUESTIONS), st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_more_columns_never_make_an_answer_less_complete(
    question: str, some: set[int], more: set[int]
) -> None:
    ranking = ranked(question)
    likely = likelihoods(ranking, read_weights())
    # Chances are numbers of 32 bits.
    assert likely.complete(sorted(some)) <= likely.complete(sorted(some | more)) + 1e-6
    assert likely.complete(range(len(ranking.columns))) == 1


@given(
    st.sampled_from(QUESTIONS),
    st.integers(0, 25),
    st.floats(0, 1, allow_nan=False),
    st.floats(0, 1, allow_nan=False),
)
def test_an_answer_fits_and_a_higher_recall_keeps_what_a_lower_one_has(
    question: str, most: int, one: float, other: float
) -> None:
    ranking = ranked(question)
    likely = likelihoods(ranking, read_weights())
    low, high = (
        cut(ranking, likely, recall, lambda columns: len(columns) <= most)
        for recall in sorted((one, other))
    )
    assert set(low.columns) <= set(high.columns)
    assert len(high.columns) <= max(most, 1)
    assert len(set(high.columns)) == len(high.columns)
    assert (low.complete or 0) <= (high.complete or 0)


def test_an_answer_ends_where_it_is_complete_enough_and_a_recall_of_one_fills_it() -> None:
    ranking, likely = of("total", {"customers.city": 2.0, "suppliers.country": 0.0})

    def is_short(columns: Sequence[int]) -> bool:
        return len(columns) <= 7

    answer = cut(ranking, likely, 0.5, is_short)
    refs = [str(ranking.index.lexicon.refs[column]) for column in answer.columns]
    assert "shop.customers.city" in refs
    assert len(refs) < 7
    full = cut(ranking, likely, 1.0, is_short)
    assert full.columns == allocate(ranking, 7).columns
    assert full.complete == pytest.approx(likely.complete(full.columns))


def test_an_answer_of_any_length_is_the_beginning_of_a_longer_one() -> None:
    for question in QUESTIONS:
        ranking = ranked(question)
        longest = allocate(ranking, 99).columns
        # One of two tables with the same columns represents both.
        assert len(longest) == len(ranking.columns) - 5
        assert all(
            allocate(ranking, size).columns == longest[:size] for size in range(len(longest))
        )


def test_chances_fitted_on_some_catalogues_hold_on_others() -> None:
    draw = np.random.default_rng(7)

    def catalogues(count: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Log-odds of which the truth is a half, and what was needed."""
        found = []
        for _ in range(count):
            logits = draw.normal(-1, 3, 60).astype(np.float32)
            found.append(
                (logits, (draw.random(60) < probability(0.5 * logits - 1)).astype(np.float32))
            )
        return found

    seen, unseen = catalogues(200), catalogues(200)
    rows = [likelihood_features(logits) for logits, _ in seen]
    features = list(rows[0])
    answers = np.concatenate([right for _, right in seen])
    fitted = fit(
        features,
        np.concatenate([stacked(row, features) for row in rows]),
        answers,
        np.ones(len(answers)),
        0.1,
    )
    chances = np.concatenate(
        [probability(fitted.logits(likelihood_features(logits))) for logits, _ in unseen]
    )
    right = np.concatenate([right for _, right in unseen])
    assert expected_error(chances, right) < 0.02
    assert (
        expected_error(np.concatenate([probability(logits) for logits, _ in unseen]), right) > 0.1
    )


def test_the_expected_error_is_the_distance_of_chance_and_share() -> None:
    # Two of 0.8 of which one is right, and two of 0.1 of which none is: 0.3 for half of them and
    # 0.1 for the other.
    assert expected_error(
        np.array([0.8, 0.8, 0.1, 0.1]), np.array([1.0, 0.0, 0.0, 0.0])
    ) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("question", "has_time"), [("channel of orders in 2024", True), ("channel of orders", False)]
)
def test_where_a_period_is_named_a_likely_table_brings_the_time_at_which_things_happened(
    question: str, has_time: bool
) -> None:
    wide = table(
        "orders", *(f"word{number}" for number in range(30)), "channel", "ordered_at", "loaded_at"
    )
    odds = {f"orders.word{number}": 1.0 for number in range(30)}
    # The load time has a higher relevance, but does not describe an order.
    ranking, _ = of(
        question,
        {**odds, "orders.channel": 2.0, "orders.ordered_at": -3.0, "orders.loaded_at": -1.0},
        (wide,),
    )
    answer = allocate(ranking, 12)
    shown = {ranking.index.lexicon.refs[place].path for place in answer.columns}
    assert ("ordered_at" in shown) == has_time
    assert "loaded_at" not in shown


def test_no_column_is_likelier_than_its_table() -> None:
    ranking, likely = of("total", {"customers.city": 0.0, "orders.channel": math.log(1 / 9)})
    odds = np.array([math.log(1 / 7), math.log(4), -20.0, -20.0, -20.0], dtype=np.float32)
    likely = likelihoods(replace(ranking, tables=odds), simple())
    tables, columns = likely.agreed
    city, channel = places(ranking, "customers.city", "orders.channel")
    # One in eight and one in two guess at the same, which is one in four; four in five stay beside
    # one in ten.
    assert tables[:2] == pytest.approx([1 / 4, 4 / 5])
    assert columns[[city, channel]] == pytest.approx([1 / 4, 1 / 10])
    assert likely.columns[city] == pytest.approx(1 / 2)
