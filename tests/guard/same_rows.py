"""A warehouse without private data, and statements whose guarded and plain rows are compared."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from linker.errors import GuardError, WarehouseError
from linker.sql_policy.guard import Guard
from linker.sql_policy.visible_tables import KnownTable, KnownTables
from linker.types import TableRef
from linker.warehouses import Warehouse
from linker.warehouses.base import Bounds
from tests.guard.corpora import MASKED, METADATA_COMMANDS, of_dialect
from tests.guard.raw import ROWS, SECONDS, RawWarehouse, open_duckdb, open_postgres
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import HARMLESS, LEGITIMATE
from tests.guard.warehouse import known
from tests.guard.worlds import CHANCE

# What explores is answered from the information schema, in columns that are the same everywhere; the
# schema of a session is that of its target.
EXPLORES = (
    r"^(show|desc|pragma|summarize)|\((show|describe|summarize)|duckdb_|pragma_|information_schema"
    "|regclass|current_schema|pg_stat"
)
SERIES = (
    "create table shop.series as select i as x, i % 7 as y from generate_series(1, 250) as s(i)"
)


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


@contextmanager
def opened_shop(dialect: str, folder: Path) -> Iterator[Shop]:
    tables = [
        replace(table, privacy=dict.fromkeys(table.privacy, "show"))
        for table in known(dialect).tables
    ]
    series = KnownTable(TableRef("shop", "series"), ("series",), {"x": "show", "y": "show"})
    guard = Guard(KnownTables(dialect, (*tables, series), "warehouse", "shop"))
    with ExitStack() as stack:
        if dialect == "duckdb":
            session = stack.enter_context(duckdb_shop(folder, [SERIES]))
            raw = RawWarehouse(open_duckdb, folder / "warehouse.duckdb")
        else:
            session = stack.enter_context(postgres_shop([SERIES]))
            options: Any = session
            raw = RawWarehouse(open_postgres, options._target.options)
        stack.callback(raw.close)
        stack.callback(session.close)
        yield Shop(dialect, guard, session, raw)


def passes(shop: Shop, sql: str) -> bool:
    """Whether a statement is compared: refused ones are not run."""
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


def of_corpora(dialect: str) -> list[str]:
    """The statements of the corpora that read tables alone."""
    statements = [sql for of, sql, _ in (*LEGITIMATE, *HARMLESS) if of == dialect]
    statements += [*of_dialect(MASKED, dialect), *of_dialect(METADATA_COMMANDS, dialect)]
    return [sql for sql in statements if not re.search(EXPLORES, sql)]


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
