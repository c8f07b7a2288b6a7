"""
A statement that passes returns what the warehouse returns for it as it was written, or the first of
its rows.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from linker.errors import GuardError, WarehouseError
from linker.guard import Guard
from linker.guard.known import KnownTable, KnownTables
from linker.types import TableRef
from linker.warehouses import Warehouse
from linker.warehouses.base import Bounds
from tests.guard.corpora import EXPLORING, MASKED, of_dialect
from tests.guard.queries import queries
from tests.guard.raw import ROWS, SECONDS, RawWarehouse, open_duckdb, open_postgres
from tests.guard.shapes import shapes
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import HARMLESS, LEGITIMATE
from tests.guard.warehouse import known
from tests.guard.worlds import CHANCE

# What explores is answered from the information schema, in columns that are the same everywhere; the
# schema of a session is that of its target.
EXPLORES = (
    r"^(show|desc|pragma|summarize)|\((show|describe|summarize)|duckdb_|pragma_|information_schema"
    "|regclass|current_schema"
)
SERIES = (
    "create table shop.series as select i as x, i % 7 as y from generate_series(1, 250) as s(i)"
)
DRAWN = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Shop:
    """The shop with nothing private in it: a session behind the guard, and a connection without."""

    dialect: str
    guard: Guard
    session: Warehouse
    raw: RawWarehouse

    def as_written(self, sql: str) -> list[str] | None:
        """The first rows of the statement itself; none where the warehouse refuses or ends it."""
        return self.raw.rows(sql)

    def guarded(self, sql: str) -> list[str] | str:
        """The rows of what the guard made of it, or why there are none."""
        try:
            probe = self.guard.check(sql)
            rows = self.session.query(probe.sql, (), Bounds(seconds=5 * SECONDS, rows=ROWS))
        except WarehouseError as error:
            return error.what
        return [repr(tuple(row)) for row in rows]


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def shop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shop]:
    tables = [
        replace(table, privacy=dict.fromkeys(table.privacy, "show"))
        for table in known(request.param).tables
    ]
    series = KnownTable(TableRef("shop", "series"), ("series",), {"x": "show", "y": "show"})
    guard = Guard(KnownTables(request.param, (*tables, series), "warehouse", "shop"))
    with ExitStack() as stack:
        if request.param == "duckdb":
            folder = tmp_path_factory.mktemp("shop")
            session = stack.enter_context(duckdb_shop(folder, [SERIES]))
            raw = RawWarehouse(open_duckdb, folder / "warehouse.duckdb")
        else:
            session = stack.enter_context(postgres_shop([SERIES]))
            options: Any = session
            raw = RawWarehouse(open_postgres, options._target.options)
        stack.callback(raw.close)
        stack.callback(session.close)
        yield Shop(request.param, guard, session, raw)


def passes(shop: Shop, sql: str) -> bool:
    """Whether a statement is compared at all: nobody runs what the guard refuses."""
    if any(word in sql.lower() for word in CHANCE):
        return False
    try:
        shop.guard.check(sql)
    except GuardError:
        return False
    return True


def differs(shop: Shop, sql: str, *, in_order: bool = False) -> str:
    """How the guarded statement differs in its rows from the statement itself; empty if not."""
    if not passes(shop, sql):
        return ""
    written = shop.as_written(sql)
    if written is None:
        return ""
    guarded = shop.guarded(sql)
    same = written == guarded if in_order else sorted(written) == sorted(guarded)
    return "" if same else f"{sql}: {written[:3]} became {guarded[:3]}"


LIMITS = (
    "select x from series order by x",
    "select x from series order by x limit 5",
    "select x from series order by x limit 5 offset 7",
    "select x from series order by x offset 7",
    "select x from series order by x offset 200",
    "select x from series order by x limit 1000000",
    "select x from series order by x limit all",
    "select x from series order by x limit null",
    "select x from series order by x limit 1 + 1",
    "select x from series order by x limit (select 2)",
    "select x from series order by x limit 2::int",
    "select x from series order by x limit '2'",
    "select x from series order by x limit 2.0",
    "select x from series order by x limit 20 percent",
    "select x from series order by x limit 20%",
    "select x from series order by x limit 0",
    "select x from series order by x fetch first row only",
    "select x from series order by x fetch first 7 rows only",
    "select x from series order by x fetch next (1 + 1) rows only",
    "select x from series order by x fetch first 7000 rows only",
    "select y from series order by y fetch first 1 row with ties",
    "select x from series order by x offset 3 rows fetch next 2 rows only",
    "(select x from series order by x limit 3) limit 1000",
    "(select x from series order by x limit 3)",
    "(((select x from series order by x)))",
    "select 1 as x union all select 2 limit 1",
    "(select 1 as x limit 5) union all (select x from series limit 5) order by 1",
    "with a as (select * from series order by x limit 150) select x from a order by x limit 8",
    "values (1), (2)",
    "values (1), (2) limit 1",
    "table series",
    "select x, x from series order by x limit 1 + 1",
    "select x from series order by x limit 3 -- of many",
)
# What a writer of SQL made of them was something else.
CHANGED = (
    "select date_bin('7 days', ordered_at, '2024-01-01') from orders",
    "select date_part('year', ordered_at) from orders",
    "select date_trunc(status, ordered_at) from orders where false",
    "select date_trunc(y, cast(x as date)) from (select 'year' as y, date '2025-03-04' as x) as t",
    "select date '2025-01-31'::timestamp",
    "select extract(month from interval '14 months ago')",
    "select 'abc' ~ 'b'",
    "select a, b from unnest(array[1, 2], array['x', 'y']) as t(a, b)",
    "select shop.orders.order_id from shop.orders order by 1",
    "select mod(5, 3), substr('abc', 2), variance(x) from series",
    "select x from series order by y nulls last, x desc nulls first",
    "select (42,)",
    "select json_structure('{\"duck\": 1}'->'duck')",
    "select string_agg(status, ',' order by order_id desc) from orders",
    "select interval '1 day' + '12:15'::time",
    "select 'a' 'b'",
    "select o.payload from orders as o order by o.order_id",
    "select $$it's$$",
    "select percentile_cont(0.5) within group (order by amount) from orders",
)


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
    statements = [sql for of, sql, _ in (*LEGITIMATE, *HARMLESS) if of == shop.dialect]
    statements += [*of_dialect(MASKED, shop.dialect), *of_dialect(EXPLORING, shop.dialect)]
    statements = [sql for sql in statements if not re.search(EXPLORES, sql)]
    statements = [sql for sql in statements if passes(shop, sql)]
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
