"""Questions about other databases: who is asked what, and which databases count as one."""

from collections import Counter

import pytest

from benchmarks.out_of_scope import Outcome, QuestionPool, chosen, line
from linker.config.settings import load_settings
from linker.evaluation import GoldenQuestion, Suite
from linker.evaluation.preparing import Prepared, from_catalog
from linker.types import Catalog, Column, Columns, Table, TableRef


def suite(name: str, databases: dict[str, str]) -> Prepared:
    """A suite with ten questions a database, whose one table has columns that begin with a text."""
    questions = tuple(
        GoldenQuestion(
            f"{database} {number}", database, f"{database} {number}?", is_answerable=number < 9
        )
        for database in databases
        for number in range(10)
    )
    merged = tuple(
        from_catalog(database, "duckdb", catalog(prefix)) for database, prefix in databases.items()
    )
    return Prepared(Suite(name, (), questions), merged, load_settings({}, {}))


def catalog(prefix: str) -> Catalog:
    columns = tuple(
        Column(f"{prefix}{n}", f"{prefix}{n}", 0, n, "BIGINT", True, None) for n in range(1, 6)
    )
    return Catalog((Table(TableRef("main", "t"), "table", None, None, Columns(columns)),), 1)


@pytest.fixture
def pool() -> QuestionPool:
    return QuestionPool.create(
        {
            "first": suite("first", {"football": "goal", "soccer": "goal", "museum": "work"}),
            "second": suite("second", {"hospital": "bed", "my_ecommerce": "cart"}),
            "demo": suite("demo", {"demo": "order"}),
        }
    )


def test_nobody_is_a_stranger_who_has_the_same_tables_or_sells_things_too(
    pool: QuestionPool,
) -> None:
    sources = {source for source, _ in pool.foreign("first.football", 36)}
    assert sources == {"first.museum", "second.hospital", "second.my_ecommerce", "demo.demo"}
    assert {source for source, _ in pool.foreign("demo.demo", 99)} == {
        "first.football",
        "first.soccer",
        "first.museum",
        "second.hospital",
    }


def test_each_suite_brings_as_many_strangers_and_no_question_without_an_answer(
    pool: QuestionPool,
) -> None:
    found = pool.foreign("first.football", 15)
    assert len(set(found)) == 15
    assert sum(source.startswith("second") for source, _ in found) >= 4
    assert not any(text.endswith("9?") for _, text in found)
    assert found == pool.foreign("first.football", 15)


def test_the_questions_of_a_suite_are_shared_out_among_its_databases(pool: QuestionPool) -> None:
    asked = dict(chosen(pool, "first", own=6, foreign=9))
    own = [
        (database, source)
        for database, found in asked.items()
        for source, _ in found
        if source.endswith(database)
    ]
    assert len(own) == 6
    of_own = Counter(database for database, _ in own)
    assert [len(found) for found in asked.values()] == [3 + of_own[name] for name in asked]


def test_the_table_says_both_shares() -> None:
    found = [
        Outcome("s", "a", "s.a", "?", refused=False, warned=True),
        Outcome("s", "a", "s.a", "?", refused=False, warned=False),
        Outcome("s", "a", "t.b", "?", refused=True, warned=True),
    ]
    assert line("s", found) == "| s | 2 | 0.0 | 50.0 | 1 | 100.0 | 100.0 |\n"
