"""Query analysis and value linking on two hundred labelled questions."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from linker.catalog.column_metadata import ColumnFacts, Facts
from linker.linking.value_linking import Binding, Mentions, read_mentions
from linker.retrieval.hits import Retrieved
from linker.text.query_parser import read_text
from linker.text.time_expressions import Period, periods_of
from linker.text.values import best_match, spans_by_gram
from linker.types import (
    Catalog,
    Column,
    ColumnRef,
    Columns,
    Hit,
    Table,
    TableHit,
    TableRef,
    ValueMatch,
)

FILE = yaml.safe_load((Path(__file__).parent / "questions.yml").read_text("utf-8"))
TODAY: date = FILE["today"]
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    (domain, question)
    for domain, content in FILE["domains"].items()
    for question in content["questions"]
]


@cache
def warehouse(domain: str) -> tuple[Catalog, Facts]:
    facts = {}
    for name, (category, *values) in FILE["domains"][domain]["columns"].items():
        table, path = name.split(".")
        facts[ColumnRef(TableRef("main", table), path)] = ColumnFacts(
            category, len(values), values=tuple(values)
        )
    columns: dict[TableRef, list[Column]] = {}
    for position, ref in enumerate(facts):
        column = Column(ref.path, ref.path, 0, position, "TEXT", is_nullable=True, description=None)
        columns.setdefault(ref.table, []).append(column)
    tables = tuple(
        Table(table, "table", None, None, Columns(columns[table]), None)
        for table in sorted(columns)
    )
    return Catalog(tables, len(tables)), Facts(facts)


def retrieved(text: str, catalog: Catalog, facts: Facts) -> Retrieved:
    """All columns with the values that the question may name, as the index finds them."""
    by_gram, hits = spans_by_gram(text), []
    for ref, column in facts.columns.items():
        matches = [
            ValueMatch(words, value, near)
            for value in column.values
            for near, words in [best_match(value, by_gram)]
        ]
        hits.append(Hit(ref, 1.0, (), tuple(match for match in matches if match.similarity)))
    return Retrieved(tuple(hits), tuple(TableHit(table.ref, 1.0, ()) for table in catalog.tables))


def mentions_of(domain: str, text: str) -> Mentions:
    catalog, facts = warehouse(domain)
    return read_mentions(text, retrieved(text, catalog, facts), catalog, facts)


def pair(binding: Binding) -> tuple[str, str]:
    return binding.words.casefold(), f"{binding.ref.table.name}.{binding.ref.path}"


def expected_pairs(question: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (words.casefold(), column)
        for words, columns in question.get("binds", {}).items()
        for column in columns
    }


def days(period: Period) -> str:
    return f"{period.first or ''}/{period.last or ''}" if period.first or period.last else "any"


def test_there_are_two_hundred_questions_thirty_of_them_german() -> None:
    assert len(QUESTIONS) >= 200
    assert sum(read_text(question["ask"]).is_german for _, question in QUESTIONS) >= 30


def test_the_periods_are_those_that_a_reader_finds() -> None:
    other = {}
    for _, question in QUESTIONS:
        found = {period.words: days(period) for period in periods_of(question["ask"], TODAY)}
        expected = question.get("periods", {})
        if found != {str(words): str(said) for words, said in expected.items()}:
            other[question["ask"]] = (found, expected)
    assert other == {}


# Whether `on` behind a time means onwards: `>= 2025-01-01` alone, or the whole year.
_ONWARDS = (
    "Orders from 2025 on",
    "From 2025 on, how many orders were there?",
    "From 2025 on how many orders were there?",
    "Orders from 2025 on by month",
    "Orders from 2025 on in Berlin",
    "Since 2025 on we ship more: how much?",
    "Orders starting in 2025 on.",
    "Orders 2025 onwards",
)
_WHOLE = (
    "How many items does an order of 2025 have on average?",
    "What did a store earn in 2025 on average?",
    "Revenue in 2025 on weekends",
    "Revenue in 2025 on Mondays",
    "Visits in 2025 on the platform",
    "Visits in 2025 on our site",
    "Visits for 2025 on mobile devices",
    "Orders from 2025 on the platform",
    "Discounts from 2025 on in-store purchases",
    "Which platform were they in 2025 on?",
    "How many hours in 2025 on-site?",
)


def test_on_behind_a_time_means_onwards_only_where_it_does() -> None:
    said = {text: next(periods_of(text)).bounds for text in (*_ONWARDS, *_WHOLE)}
    assert said == {
        **dict.fromkeys(_ONWARDS, ">= 2025-01-01"),
        **dict.fromkeys(_WHOLE, ">= 2025-01-01 and < 2026-01-01"),
    }


def test_bounds_hold_for_times_of_the_last_day() -> None:
    said = {
        "in 2024": ">= 2024-01-01 and < 2025-01-01",
        "until February 2024": "< 2024-03-01",
        "before 2024": "< 2024-01-01",
        "after 2024": ">= 2025-01-01",
        "on Fridays": "of any year",
    }
    assert {text: next(periods_of(text)).bounds for text in said} == said


def test_days_meet_a_period_where_some_of_them_lie_in_it() -> None:
    year, since = (next(periods_of(text)) for text in ("orders of 2024", "orders since March 2024"))
    assert [
        year.meets(*days) for days in (("2023-01-01", "2024-01-01"), ("2024-12-31", "2025-02-01"))
    ] == [True, True]
    assert [
        year.meets(*days) for days in (("2022-01-01", "2023-12-31"), ("2025-01-01", "2025-01-01"))
    ] == [False] * 2
    assert since.meets("2024-03-01", "2024-03-01")
    assert not since.meets("2023-01-01", "2024-02-29")


def test_the_numbers_have_the_role_that_a_reader_gives_them() -> None:
    other = {}
    for _, question in QUESTIONS:
        read = read_text(question["ask"])
        roles = {number.words: number.role for number in read.numbers}
        codes = [thing.words for thing in read.things if thing.kind == "code"]
        if (roles, codes) != (question.get("numbers", {}), question.get("codes", [])):
            other[question["ask"]] = (roles, codes)
    assert other == {}


def test_bindings_are_right_in_nineteen_of_twenty_and_four_of_five_are_found() -> None:
    right = wrong = likely = guessed = wanted = 0
    for domain, question in QUESTIONS:
        expected = expected_pairs(question)
        wanted += len(expected)
        for binding in mentions_of(domain, question["ask"]).bindings:
            is_right = pair(binding) in expected
            right += is_right and binding.is_sure
            wrong += binding.is_sure and not is_right
            likely += is_right and not binding.is_sure
            guessed += not binding.is_sure and not is_right
    assert right / (right + wrong) >= 0.95
    assert right / wanted >= 0.8
    assert (right + likely) / (right + wrong + likely + guessed) >= 0.9


def test_what_may_be_bound_is_never_found_in_no_column() -> None:
    in_both = {}
    for domain, question in QUESTIONS:
        mentions = mentions_of(domain, question["ask"])
        bound = {binding.words.casefold() for binding in mentions.bindings}
        if found := bound & {words.casefold() for words in mentions.unbound}:
            in_both[question["ask"]] = found
    assert in_both == {}


@pytest.mark.parametrize("word", ["dreißig", "dreissig", "DREIßIG", "DREISSIG"])
def test_a_number_is_one_however_its_sharp_s_is_written(word: str) -> None:
    assert [
        (number.words, number.value)
        for number in read_text(f"Kunden mit mehr als {word} Käufen", TODAY).numbers
    ] == [(word, 30.0)]


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from([q["ask"] for _, q in QUESTIONS]), max_size=3).map(" ".join)
)
def test_any_text_is_read_and_what_is_read_stands_in_it(text: str) -> None:
    read = read_text(text, TODAY)
    places = [(item.words, item.start, item.end) for item in read.things]
    places += [(item.words, item.start, item.end) for item in read.periods]
    places += [(item.words, item.start, item.end) for item in read.numbers]
    assert all(text[start:end] == words for words, start, end in places)
