"""Which questions a warehouse is told to be unable to answer, and what is said to be missing."""

import time
from pathlib import Path

import numpy as np
import pytest

from linker.catalog.facts import ColumnFacts, Facts
from linker.errors import ConfigError
from linker.ranking.answerable import Answerability, assess, features, listen
from linker.ranking.known import know
from linker.ranking.matching import Signals
from linker.ranking.question import analyse, telling
from linker.ranking.ranker import Ranked, rank
from linker.ranking.weights import read_answerable_weights, read_weights, write_answerable_weights
from linker.types import Catalog, Column, ColumnRef, Table, TableRef

COLUMNS = {
    "customers": ("customer_id", "customer_name", "country"),
    "orders": ("order_id", "customer_id", "ordered_at", "net_amount"),
    "returns": ("return_id", "order_id", "reason"),
    "fixed_assets": ("asset_no", "asset_name", "purchase_cost"),
}
VALUES = {("fixed_assets", "asset_name"): ("Conveyor belt", "Forklift"), ("customers", "country"): ("France", "Japan")}
FOREIGN = "How many penguins hatched in the Antarctic colony?"


def catalog(columns: dict[str, tuple[str, ...]]) -> Catalog:
    tables = tuple(
        Table(
            TableRef("shop", name),
            "table",
            None,
            None,
            tuple(Column(path, path, 0, place, "VARCHAR", True, None) for place, path in enumerate(paths, start=1)),
        )
        for name, paths in columns.items()
    )
    return Catalog(tables, len(tables))


SHOP = catalog(COLUMNS)
REFS = [ColumnRef(table.ref, column.path) for table in SHOP.tables for column in table.columns]
FACTS = Facts(
    {ref: ColumnFacts("text", 20, values=VALUES.get((ref.table.name, ref.path), ())) for ref in REFS},
)


def ranked(question: str, near: float, facts: Facts = FACTS) -> Ranked:
    """All columns lie equally near: what then differs is what the question says."""
    signals = Signals(dict.fromkeys(REFS, near), {table.ref: near for table in SHOP.tables})
    return rank(question, know(SHOP, facts), read_weights(), signals)


def judged(question: str, near: float = 0.4) -> Answerability:
    return assess(ranked(question, near))


def test_a_question_about_something_foreign_is_recognised() -> None:
    found = judged(FOREIGN, near=0.15)
    assert found.probability > 0.5
    assert not found.is_answerable


@pytest.mark.parametrize(
    "question",
    [
        "What is the net amount of all orders per country?",
        "Which customers have the most returns, and for what reason?",
        "What did the forklift cost?",
    ],
)
def test_a_question_whose_words_are_named_is_answerable(question: str) -> None:
    assert judged(question).is_answerable


def test_what_is_said_to_be_missing_is_what_nothing_speaks_of_the_most_telling_first() -> None:
    assert judged(FOREIGN).missing == ("penguins hatched", "Antarctic colony")
    # That conveyor belts exist is known by a value; what is out of service nowhere.
    assert judged("How many hours were conveyor belts idle?").missing[0] == "hours"
    assert judged("What is the net amount per customer?").missing == ()


def test_the_nearest_columns_and_tables_are_those_that_share_most_words() -> None:
    found = judged("How many kilowatt hours did it take, by reason?")
    assert str(found.nearest[0]) == "shop.returns.reason"
    assert str(found.nearest_tables[0]) == "shop.returns"


def test_words_that_stand_in_tables_which_cannot_be_joined_do_not_add_up() -> None:
    def best_pair(question: str) -> float:
        evidence = ranked(question, 0.4).evidence
        return features(evidence, listen(evidence))["best_pair"]

    # Returns lead to orders by their key, and to fixed assets by nothing.
    assert best_pair("amount by reason") > best_pair("purchase by reason")


def test_it_takes_more_to_deny_a_question_where_nothing_was_profiled() -> None:
    bare = Facts({ref: ColumnFacts() for ref in REFS})
    assert know(SHOP, FACTS).is_profiled
    assert not know(SHOP, bare).is_profiled
    assert assess(ranked(FOREIGN, 0.3, bare)).probability < assess(ranked(FOREIGN, 0.3)).probability


def test_a_question_that_asks_for_nothing_in_particular_lacks_nothing() -> None:
    assert judged("What is it?").is_answerable


def test_a_question_without_any_signal_of_the_index_is_judged_by_its_words_alone() -> None:
    known = know(SHOP, FACTS)
    named, foreign = (assess(rank(one, known, read_weights())) for one in ("net amount of the orders", FOREIGN))
    assert named.probability < foreign.probability


def test_the_same_question_is_judged_the_same_way_in_a_few_milliseconds() -> None:
    wide = catalog({f"t{number}": tuple(f"c{number}_{place}" for place in range(20)) for number in range(200)})
    one = rank(FOREIGN, know(wide), read_weights())
    first = assess(one)
    started = time.perf_counter()
    assert all(assess(one) == first for _ in range(5))
    # Measured at two to five; a machine that does other things besides may take longer.
    assert (time.perf_counter() - started) / 5 < 0.1


def test_what_can_be_asked_of_anything_counts_little_and_a_number_nothing() -> None:
    question = analyse("Average weight of 12 parcels in 2025, compared with last year")
    weights = dict(zip(question.words, telling(question).weights, strict=True))
    assert weights["weight"] == weights["parcel"] == 1.0
    assert weights["12"] == weights["2025"] == 0.0
    assert weights["averag"] == weights["compar"] == weights["year"] == np.float32(0.2)


def test_names_are_those_that_capitals_begin_inside_a_sentence_or_that_are_quoted() -> None:
    question = analyse('Did Bergfreund sell tents to "alpine club"? Tents are cheap.')
    found = telling(question)
    names = {word for word, is_name in zip(question.words, found.is_literal, strict=True) if is_name}
    assert names == {"bergfreund", "alpin", "club"}


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "answerable.json"
    write_answerable_weights(path, read_answerable_weights())
    assert read_answerable_weights(path) == read_answerable_weights()


@pytest.mark.parametrize(
    "text", ["", "[]", '{"limits": {}}', '{"limits": {"profiled": 0, "unprofiled": 0}, "answerable": {"features": []}}']
)
def test_a_file_that_holds_other_things_is_an_error_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "answerable.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="holds no weights") as caught:
        read_answerable_weights(path)
    assert caught.value.hint == "make them with: linker tune --answerable"


def test_a_file_that_is_not_there_or_of_another_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "answerable.json"
    with pytest.raises(ConfigError, match="No such file or directory") as caught:
        read_answerable_weights(path)
    assert caught.value.hint == "check `answerable_weights`"
    write_answerable_weights(path, read_answerable_weights())
    path.write_text(path.read_text("utf-8").replace("near_table", "near_planet"), "utf-8")
    with pytest.raises(ConfigError, match="of another version: there is no near_planet"):
        read_answerable_weights(path)


@pytest.mark.parametrize(
    ("written", "columns", "table"),
    [
        ("Count the number of high schoolers", ("ID", "name", "grade"), "Highschooler"),
        ("Which zip codes does each driver have?", ("driver", "zipcode"), "Couriers"),
    ],
)
def test_two_words_that_a_name_writes_as_one_are_spoken_of(written: str, columns: tuple[str, ...], table: str) -> None:
    known = catalog({table: columns, "friendship": ("one_id", "other_id")})
    signals = Signals({}, {one.ref: 0.4 for one in known.tables})
    judgement = assess(rank(written, know(known, Facts({})), read_weights(), signals))
    assert judgement.is_answerable
    assert judgement.missing == ()
