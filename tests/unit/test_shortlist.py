"""Term matching and column budget of the ranking, worked out by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from linker.evaluation.training import fit
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.column_selection import allocate
from linker.ranking.query_analysis import analyse
from linker.ranking.ranker import RankingResult, rank
from linker.ranking.table_tokens import similarity
from linker.ranking.weights import read_weights
from linker.strategies.shortlist_tables import ShortlistBuilder
from linker.text.words import words_of_name
from linker.types import Catalog, Column, Columns, Table, TableRef
from tests.tables import table

SHOP = (
    table("customers", "customer_id", "full_name", "city", "signup_date"),
    table("orders", "order_id", "customer_id", "order_date", "total_amount"),
    table("suppliers", "supplier_id", "supplier_name", "country"),
    table("warehouses", "warehouse_id", "capacity", "manager"),
)


def ranked(question: str, tables: tuple[Table, ...] = SHOP) -> RankingResult:
    return rank(question, build_catalog_index(Catalog(tables, len(tables))), read_weights())


def answered(question: str, budget: int, tables: tuple[Table, ...] = SHOP) -> set[str]:
    ranking = ranked(question, tables)
    linked = ShortlistBuilder(ranking, read_weights(), {}, (), allocate(ranking, budget)).tables()
    return {
        f"{one.table.ref.name}.{column.column.path}" for one in linked for column in one.columns
    }


def first_table(question: str, tables: Sequence[Table]) -> str:
    found = ranked(question, tuple(tables))
    return found.index.lexicon.tables[int(np.argmax(found.tables))].ref.name


def test_a_name_that_is_said_as_a_whole_comes_before_a_longer_one() -> None:
    tables = (
        table("fatal_accidents_drivers", "driver", "age", "event"),
        table("driver_standings", "standing_id", "driver_id", "wins"),
        table("drivers", "driver_id", "driver_ref", "nationality"),
    )
    assert first_table("Which drivers are there?", tables) == "drivers"


def test_a_table_without_rows_comes_after_those_with_rows_unless_nearly_all_have_none() -> None:
    cost = table("cost", "cost_id", "person_count", "paid_by_person")
    people = table("people", "person_id", "gender", "birth_year")
    others = [*SHOP, people]
    asked = "cost by person"
    assert first_table(asked, [cost, *others]) == "cost"
    filled = [replace(item, row_count_estimate=9) for item in others]
    empty = replace(cost, row_count_estimate=0)
    assert first_table(asked, [empty, *filled]) != "cost"
    assert (
        first_table(asked, [replace(item, row_count_estimate=0) for item in (cost, *others)])
        == "cost"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fullVisitorId", ["full", "visitor", "id"]),
        ("order_dates", ["order", "date"]),
        ("SOPInstanceUIDs", ["sop", "instanc", "uid"]),
        ("categories2019", ["category", "2019"]),
    ],
)
def test_names_part_into_stems(name: str, words: list[str]) -> None:
    assert words_of_name(name) == words


@pytest.mark.parametrize(
    ("asked", "named"), [("quantity", "qty"), ("amount", "amt"), ("count", "cnt"), ("order", "ord")]
)
def test_abbreviations_are_recognised(asked: str, named: str) -> None:
    assert 0.4 < similarity(asked, named) < 1


def test_words_of_one_root_are_recognised_and_words_that_only_begin_alike_are_not() -> None:
    assert 0.4 < similarity("satisfied", "satisfaction") < 1
    assert similarity("transport", "transaction") == 0


def test_different_words_and_different_numbers_are_not_alike() -> None:
    assert similarity("customer", "warehouse") == 0
    assert similarity("2014", "2015") == 0


@given(
    one=st.text("abcdefgh", min_size=1, max_size=9),
    other=st.text("abcdefgh", min_size=1, max_size=9),
)
def test_likeness_is_mutual_and_complete_only_for_the_same(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert (similarity(one, other) == 1) == (one == other)


def test_identifiers_of_rows_are_no_words() -> None:
    asked = analyse("port of device 35620978-cabd-48bd-b7f2-58fb700ffbfd in 2014")
    assert asked.words == ("port", "devic", "2014")
    assert asked.years == (2014,)


def test_what_is_asked_for_comes_before_the_rest() -> None:
    answer = answered("What was the total amount of the orders of each customer, by city?", 6)
    assert {
        "orders.total_amount",
        "customers.city",
        "orders.customer_id",
        "customers.customer_id",
    } <= answer


def test_a_small_catalogue_is_taken_whole() -> None:
    assert len(answered("suppliers", 14)) == 14


@settings(max_examples=25, deadline=None)
@given(order=st.permutations(SHOP), budget=st.integers(1, 16))
def test_the_budget_is_kept_and_the_order_of_tables_does_not_matter(
    order: list[Table], budget: int
) -> None:
    question = "Which customers ordered most by date?"
    answer = answered(question, budget, tuple(order))
    assert len(answer) == min(budget, 14)
    assert answer == answered(question, budget)


def path(of: str, position: int) -> Column:
    return Column(
        of,
        of.split(".", maxsplit=1)[0],
        of.count("."),
        position,
        "VARCHAR",
        is_nullable=True,
        description=None,
    )


VISIT_PATHS = ["visit_id", "page"] + [f"page.part_{number}" for number in range(20)]
VISITS = Table(
    TableRef("web", "visits"),
    "table",
    None,
    None,
    Columns(path(name, position) for position, name in enumerate(VISIT_PATHS, start=1)),
)


def test_the_paths_of_a_struct_come_without_it_and_each_can_be_had() -> None:
    order = allocate(ranked("page of the visits", (VISITS, *SHOP)), 100).columns
    lexicon = build_catalog_index(Catalog((VISITS, *SHOP), 5)).lexicon
    struct = next(place for place, ref in enumerate(lexicon.refs) if ref.path == "page")
    assert sorted(order) == list(range(len(lexicon.refs)))
    of_visits = [place for place in order if lexicon.refs[place].table == VISITS.ref]
    assert of_visits[-1] == struct


def test_many_paths_of_one_struct_leave_room_for_other_tables() -> None:
    tables = (VISITS, table("page_owners", *(f"owner_{number}" for number in range(20))))
    answer = answered("part of the page and owner", 24, tables)
    assert sum(name.startswith("visits.page.") for name in answer) <= 12


def test_every_column_says_why_it_is_there() -> None:
    ranking = ranked("total amount of orders")
    linked = ShortlistBuilder(ranking, read_weights(), {}, (), allocate(ranking, 5)).tables()
    reasons = [column.reason for one in linked for column in one.columns]
    assert all(1 <= len(reason.split()) <= 10 for reason in reasons)
    assert "name match: total, amount" in reasons


def test_fitting_recovers_the_weights_that_made_the_answers() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(20_000, 3))
    odds = rows @ np.array([1.5, -0.7, 0.0]) - 0.5
    answers = (chance.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    stage = replace(fit(("a", "b", "c"), rows, answers, np.ones(20_000), 0.01), means=(0, 0, 0))
    slopes = np.array(stage.weights) / np.array(stage.deviations)
    assert slopes == pytest.approx([1.5, -0.7, 0.0], abs=0.08)
