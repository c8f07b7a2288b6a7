"""Notes on a question's names and times besides its matched values."""

from datetime import date

import pytest
from msgspec.structs import replace

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.linking.prompt_sections import bound_view, near_values
from linker.linking.value_linking import Binding, LinkedQuestion, read_mentions
from linker.ranking.catalog_index import build_catalog_index
from linker.ranking.ranker import rank
from linker.ranking.weights import read_weights
from linker.retrieval.hits import Retrieved
from linker.types import ColumnRef
from tests.prompts import CUSTOMERS, ORDERS, question

NAME, STATUS = ColumnRef(CUSTOMERS, "full_name"), ColumnRef(ORDERS, "status")


def asking(text: str, **values: tuple[str, ...]) -> LinkedQuestion:
    """A question of these words, where names and states have these values."""
    asked = question()
    refs = {"names": NAME, "states": STATUS}
    facts = Facts({refs[name]: ColumnFacts(values=held) for name, held in values.items()})
    mentions = read_mentions(text, Retrieved((), ()), asked.catalog, facts)
    return replace(asked, question=text, mentions=mentions, facts=facts)


@pytest.mark.parametrize(
    ("text", "values", "found"),
    [
        ("How often did the Red Sox win?", ("Boston Red Sox", "Mets"), "Boston Red Sox"),
        ("Orders of Köhler", ("Koehler AG", "KÖHLER & Sons"), "KÖHLER & Sons"),
        ("Orders of Tina Brandt", ("Tina", "Brandt"), "Tina"),
        ("Games of the National League", ("AL", "NL"), "NL"),
        ("Games of the NL", ("American League", "National League"), "National League"),
        # PG is no name here: the others of its column are no first letters.
        ("Films of Penelope Guinness", ("PG", "PG-13"), None),
        # Equal words are bindings; parts of a word are not.
        ("Orders of Köhler", ("Köhler",), None),
        ("Orders of Sox", ("Soxhlet",), None),
    ],
)
def test_a_value_may_hold_a_name_or_be_a_part_of_it_or_its_first_letters(
    text: str, values: tuple[str, ...], found: str | None
) -> None:
    near = near_values(asking(text, names=values))
    assert [item.value for item in near] == ([found] if found else [])
    told = bound_view(asking(text, names=values))
    assert (f"may be meant by crm.customers.full_name '{found}'" in told) is bool(found)


def test_a_part_of_a_longer_value_that_is_named_is_not_told() -> None:
    asked = asking("Sales of 'Leipzig Centre'", names=("Leipzig Centre", "Motel Leipzig Centre"))
    bound = Binding("Leipzig Centre North", NAME, "Leipzig Centre North", 1.0)
    assert near_values(asked)
    assert not near_values(replace(asked, mentions=replace(asked.mentions, bindings=(bound,))))


def test_initials_that_are_a_value_abbreviate_no_other() -> None:
    asked = asking("Images of SM", names=("square millimeter",))
    assert [item.value for item in near_values(asked)] == ["square millimeter"]
    bound = Binding("SM", STATUS, "SM", 1.0)
    assert not near_values(replace(asked, mentions=replace(asked.mentions, bindings=(bound,))))


def test_a_time_of_day_is_not_told_as_a_day() -> None:
    assert "is < 2016-11-29" in bound_view(asking("Orders at or before 2016-11-28"))
    assert "2016-11-29" not in bound_view(asking("Orders at or before 2016-11-28 17:25:32"))


def test_words_that_may_be_values_are_told_as_unknown_names_without_profiles() -> None:
    text = "Which psoriasis has vitiligo?"
    asked = asking(text)
    profiled, bare = (
        rank(text, build_catalog_index(asked.catalog, facts), read_weights())
        for facts in (question().facts, Facts())
    )
    told = bound_view(replace(asked, ranked=profiled))
    assert "in no name, comment or known value: 'psoriasis', 'vitiligo'" in told
    assert "perhaps nothing here is about it" in told
    told = bound_view(replace(asked, ranked=bare))
    assert "in no name or comment: 'psoriasis', 'vitiligo'" in told
    assert "perhaps nothing here" not in told


def test_a_value_is_told_once_with_all_columns_that_hold_it() -> None:
    asked = question()
    also = Binding("paid", ColumnRef(CUSTOMERS, "country"), "paid", 1.0)
    asked = replace(
        asked, mentions=replace(asked.mentions, bindings=(*asked.mentions.bindings, also))
    )
    told = bound_view(asked)
    assert "'paid' is the value 'paid' of sales.orders.status and of crm.customers.country" in told


def test_a_time_that_counts_from_today_has_days_and_says_so() -> None:
    asked = asking("Orders of last month and of March 2025")
    told = bound_view(asked, date(2026, 11, 29))
    assert "'last month' is >= 2026-10-01 and < 2026-11-01 if today is 2026-11-29" in told
    assert "'March 2025' is >= 2025-03-01 and < 2025-04-01\n" in f"{told}\n"
    assert "'last month' is counted from today" in bound_view(asked)
