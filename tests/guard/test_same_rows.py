"""Accepted statements return the warehouse's rows, up to the row limit."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from tests.guard.queries import queries
from tests.guard.raw import ROWS
from tests.guard.same_rows import CHANGED, LIMITS, Shop, differs, of_corpora, opened_shop, passes
from tests.guard.shapes import shapes

DRAWN = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shop]:
    with opened_shop(request.param, tmp_path_factory.mktemp("shop")) as opened:
        yield opened


def test_every_form_of_a_limit_is_kept_or_the_first_rows_are_shown(shop: Shop) -> None:
    changed = [differs(shop, sql, in_order=True) for sql in LIMITS]
    assert [text for text in changed if text] == []
    passed = [sql for sql in LIMITS if shop.as_written(sql) is not None]
    assert len(passed) > 25
    assert [sql for sql in passed if len(shop.guarded(sql)) > ROWS] == []


def test_functions_operators_and_literals_are_those_that_were_written(shop: Shop) -> None:
    changed = [differs(shop, sql) for sql in CHANGED]
    assert [text for text in changed if text] == []
    assert sum(shop.as_written(sql) is not None for sql in CHANGED) > 10


def test_every_statement_of_the_corpora_returns_its_own_rows(shop: Shop) -> None:
    statements = [sql for sql in of_corpora(shop.dialect) if passes(shop, sql)]
    changed = [differs(shop, sql) for sql in statements]
    assert [text for text in changed if text] == []
    assert sum(shop.as_written(sql) is not None for sql in statements) > 200


@DRAWN
@given(shapes())
def test_a_statement_of_a_usual_shape_returns_its_own_rows(shop: Shop, sql: str) -> None:
    assert differs(shop, sql) == ""


@DRAWN
@given(queries())
def test_a_mixture_of_names_returns_its_own_rows(shop: Shop, sql: str) -> None:
    assert differs(shop, sql) == ""
