"""The judge without a model: what it proposes, what it looks up, and what it decides by what it finds."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from linker.environment import Environment
from linker.guard import Guard, known_tables
from linker.link.answer import LinkedSchema
from linker.link.judges.profiles.anchors import anchors, unbound_names
from linker.link.judges.profiles.hypotheses import Draft, as_hypothesis, drafts
from linker.link.judges.profiles.lookups import searched_columns
from linker.link.judges.profiles.probes import search_for
from linker.link.question import LinkedQuestion, read_mentions
from linker.pipeline import link
from linker.ranking.matching import signals_of
from linker.ranking.ranker import rank
from linker.ranking.reading import read_question
from linker.ranking.weights import read_weights
from linker.strategies.evilink import EvilinkStrategy
from linker.types import ColumnRef, TableRef
from tests.linking.shop import SHOP, ShopEnvironment, build

SHOPS = {
    **SHOP,
    "crm.branches": [
        ("branch_id", "BIGINT", "identifier", "show", [1, 2]),
        ("branch_country", "VARCHAR", "category", "show", ["Denmark", "Norway"]),
        ("visits_planned", "BIGINT", "measure", "show", [5, 6]),
    ],
    "sales.orders_v1": [
        ("order_id", "BIGINT", "identifier", "show", [70, 71]),
        ("amount", "DOUBLE", "money", "show", [1.0, 2.0]),
        ("ordered_on", "DATE", "date", "show", ["2017-01-01", "2018-01-02"]),
        ("clerk", "VARCHAR", "text", "show", ["x", "y"]),
    ],
}


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop with branches, of whose customers the profiles show one name of three."""
    folder = tmp_path_factory.mktemp("shops")
    build(folder, SHOPS)
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(
            'update shop_linker.linker_profile_l2 set representative_values = \'[{"value": "Ada", "count": 1}]\' '
            "where column_path = 'full_name'"
        )
    return folder


def read(environment: Environment, question: str) -> LinkedQuestion:
    """A question as the steps of linking get it."""
    known = read_question(question, environment)
    ranked = rank(question, known.known, read_weights(None), signals_of(known.retrieved))
    mentions = read_mentions(question, known.retrieved, environment.indexed.catalog)
    return LinkedQuestion(question, mentions, environment.indexed.catalog, environment.indexed.facts, known, ranked)


def test_a_question_in_which_no_table_stands_out_still_has_a_way_with_a_name(shops: Path) -> None:
    with ShopEnvironment(shops) as environment:
        proposed = as_hypothesis(read(environment, "Which customers came back?"), Draft(tables=(), joins=()), 1)
    assert (proposed.summary, proposed.tables) == ("the likeliest columns", ())


def linked(folder: Path, question: str) -> LinkedSchema:
    with ShopEnvironment(folder) as environment:
        return link(question, environment, EvilinkStrategy())


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Zelda Fitz order?", ("Zelda Fitz",)),
        ("Zelda ordered what?", ()),
        ('Which orders of "big spenders" are open?', ("big spenders",)),
        ("How much did Ada spend in March 2025?", ()),
        ("Orders by Country in December", ()),
        ("Did Zelda order? Bob did.", ("Zelda",)),
    ],
)
def test_names_that_no_shown_value_holds_are_found(shops: Path, question: str, names: tuple[str, ...]) -> None:
    with ShopEnvironment(shops) as environment:
        assert unbound_names(read(environment, question)) == names


def test_a_name_that_the_profiles_do_not_show_is_found_by_a_probe(shops: Path) -> None:
    schema = linked(shops, "What did Cyd order?")
    [name] = [one for table in schema.tables for one in table.columns if one.column.path == "full_name"]
    assert (name.status, name.reason) == ("kept", "a probe found “Cyd” in it")


def test_what_a_pattern_would_read_as_any_text_is_searched_letter_by_letter(shops: Path) -> None:
    with ShopEnvironment(shops) as environment:
        asked = read(environment, "What did Cyd order?")
        columns = searched_columns(asked)
        assert columns == (ColumnRef(TableRef("crm", "customers"), "full_name"),)
        guard = Guard(known_tables(environment.indexed.catalog, "duckdb", {}, database="shop"))
        for name, rows in (("cYD", 1), ("%", 0), ("o'b", 0), ("' or 1=1 --", 0), ("\\", 0)):
            _, found = guard.run(search_for(asked, name, columns, "duckdb"), environment.warehouse.session)
            assert len(found) == rows, name


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_searches_pass_the_guard_in_every_dialect(shops: Path, dialect: str) -> None:
    with ShopEnvironment(shops) as environment:
        asked = read(environment, "What did Cyd order?")
        sql = search_for(asked, "O'Neill 100%", searched_columns(asked), dialect)
        probe = Guard(known_tables(environment.indexed.catalog, dialect, {}, database="shop")).check(sql)
        assert probe.tables == (TableRef("crm", "customers"),)


def test_a_value_that_two_columns_hold_gives_two_ways_to_answer(shops: Path) -> None:
    with ShopEnvironment(shops) as environment:
        asked = read(environment, "How many visits were planned in Denmark?")
        [anchor] = anchors(asked)
        held = {asked.ranked.known.lexicon.refs[column].path for column in anchor.columns}
        assert (anchor.name, held) == ("Denmark", {"country", "branch_country"})
        signals = [{one.signal for one in way.diverges} for way in drafts(asked)]
        assert signals[0] == set()
        assert {"encoding"} in signals


def test_of_two_releases_of_a_table_the_one_without_the_period_is_discarded(shops: Path) -> None:
    schema = linked(shops, "Which clerk took the amount of orders ordered on 2025-01-02?")
    out = {str(one.ref): one.reason for one in schema.discarded}
    assert out["sales.orders_v1"].startswith("its days run from 2017-01-01 to 2018-01-02, those of sales.orders")
    assert "sales.orders" in {str(table.table.ref) for table in schema.tables}


def test_of_tables_that_names_alone_join_one_is_discarded_when_no_row_meets(shops: Path) -> None:
    schema = linked(shops, "What is the total amount of orders of customers in Denmark?")
    out = {str(one.ref): one.reason for one in schema.discarded}
    assert out["sales.orders_v1"] == (
        "no row of it joins the other: sales.orders.order_id and sales.orders_v1.order_id share no value"
    )


def test_a_table_is_not_discarded_for_days_that_say_nothing_of_the_period(shops: Path) -> None:
    schema = linked(shops, "Which customers visited us and ordered in 2025?")
    assert "crm.visits" not in {str(one.ref) for one in schema.discarded}


def test_a_simple_question_has_one_way(shops: Path) -> None:
    with ShopEnvironment(shops) as environment:
        assert len(drafts(read(environment, "How many branches are there?"))) == 1


def test_the_same_question_has_the_same_answer(shops: Path) -> None:
    question = "What is the total amount of paid orders of customers in Denmark in 2025?"
    one, other = (replace(linked(shops, question), seconds=0.0, trace="", cost=()) for _ in range(2))
    assert one == other


def test_keys_of_the_likeliest_way_are_kept_on_both_sides(shops: Path) -> None:
    schema = linked(shops, "What is the total amount of orders of customers in Denmark?")
    kept = {
        f"{table.table.ref}.{one.column.path}"
        for table in schema.tables
        for one in table.columns
        if one.status in ("required", "kept")
    }
    assert kept >= {"sales.orders.customer_id", "crm.customers.customer_id", "crm.customers.country"}
