"""Accepted statements return the same in two worlds that differ only in private values."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from tests.guard.corpora import HOSTILE, MASKED, METADATA_COMMANDS, of_dialect
from tests.guard.queries import queries
from tests.guard.shapes import shapes
from tests.guard.test_guard import ADVERSARIAL, HARMLESS, LEGITIMATE
from tests.guard.worlds import Worlds, is_comparable, worlds

DRAWN = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worlds]:
    with worlds(request.param, tmp_path_factory.mktemp("worlds")) as made:
        yield made


def test_the_worlds_differ(both: Worlds) -> None:
    """Without the guard each of them returns different rows."""
    for column in ("email", "phone", "password_hash"):
        told = [
            session.query(f"select {column} from shop.customers order by 1")
            for session in both.sessions
        ]
        assert told[0] != told[1], column


@DRAWN
@given(shapes())
def test_a_statement_of_a_usual_shape_tells_the_same_in_both_worlds(both: Worlds, sql: str) -> None:
    if probe := both.probe(sql):
        first, second = both.told(probe)
        assert first == second


@DRAWN
@given(queries())
def test_a_mixture_of_names_tells_the_same_in_both_worlds(both: Worlds, sql: str) -> None:
    if probe := both.probe(sql):
        first, second = both.told(probe)
        assert first == second


def test_every_statement_of_the_corpora_tells_the_same_in_both_worlds(both: Worlds) -> None:
    corpora = (METADATA_COMMANDS, HOSTILE, MASKED)
    written = [sql for corpus in corpora for sql in of_dialect(corpus, both.dialect)]
    written += [
        sql
        for corpus in (LEGITIMATE, HARMLESS, ADVERSARIAL)
        for of, sql, _ in corpus
        if of == both.dialect
    ]
    ran = 0
    for sql in written:
        if is_comparable(sql) and (probe := both.probe(sql)):
            first, second = both.told(probe)
            assert first == second, sql
            ran += not isinstance(first, str)
    assert ran > 150
