"""
Changes a demo warehouse as real ones drift, and lists the changes.

One change of every kind, at a place chosen by the seed. The same seed gives the same changes.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import duckdb

_SHARDS = "web.sessions_"
# Each kind of change with the places where it makes sense: no key, nothing that a key of another
# table leads to.
_NEW_COLUMNS = {
    "sales.orders": "discount_reason",
    "support.tickets": "survey_score",
    "web.carts": "recovered_by",
    "logistics.shipments": "co2_grams",
    "people.expenses": "project_code",
}
_RENAMED = {
    "finance.vendor_bills.total_cents": "amount_due_cents",
    "logistics.purchase_orders.expected_on": "promised_on",
    "finance.budgets.amount_eur": "planned_eur",
    "web.cmp_receipts.via": "collected_by",
    "logistics.shipments_archive.weight_g": "gross_weight_g",
    "people.expenses.merchant": "vendor_name",
}
_DROPPED = (
    "finance.invoices_old",
    "logistics.shipments_archive",
    "web.id_graph",
    "finance.invoice_audit",
)
_COPIED = ("product.categories", "sales.stores", "logistics.sites")
_RETYPED = {
    "logistics.stock_levels.on_hand": "bigint",
    "finance.dunning_runs.fee_cents": "bigint",
    "logistics.stock_movements.qty": "double",
    "people.absences.first_day": "bigint",
    "web.onsite_kw.hits": "bigint",
}
_SCALED = (
    "finance.invoice_lines.net_cents",
    "logistics.purchase_orders.total_cents",
    "finance.revenue_recognised.amount_eur",
    "web.carts.subtotal_cents",
    "logistics.customs_declarations.declared_value_cents",
)
_NEW_VALUES = {
    "web.carts.state": "handed_over",
    "logistics.returns_inspection.grade": "E",
    "finance.payout_items.provider": "klarna",
    "people.expenses.category": "home office",
    "logistics.purchase_orders.incoterms": "FCA",
}
_SHIFTED = {
    "web.xp_bucket.arm": 0.5,
    "logistics.tracking_events.hub_city": 0.4,
    "finance.revenue_recognised.region_code": 0.5,
    "finance.invoices.payment_method": 0.5,
}
_EMPTIED = (
    "logistics.shipments.service_level",
    "finance.bank_transactions.counterparty_name",
    "web.events.user_id",
    "finance.invoices.due_date",
)
_CUT = (
    "people.badge_swipes",
    "web.email_sends",
    "finance.dunning_runs",
    "logistics.fct_site_daily",
)


@dataclass(frozen=True, slots=True)
class Drift:
    """One change: its kind as `linker diff` names it, where, and in words what was done."""

    kind: str
    table: str
    column: str | None
    description: str
    was: str | None = None


def drift_warehouse(path: Path, seed: int) -> list[Drift]:
    """Change the warehouse, all of it or nothing, and list the changes."""
    with duckdb.connect(str(path)) as connection:
        connection.begin()
        changed = list(_drift(connection, random.Random(seed)))  # noqa: S311 - nothing secret
        connection.commit()
    return changed


def _drift(connection: duckdb.DuckDBPyConnection, draw: random.Random) -> Iterator[Drift]:
    touched: set[str] = set()
    for change, paths, condition in _CHANGES:
        candidates = [
            path
            for path in paths
            if _table(path) not in touched
            and _exists(connection, path)
            and _holds(connection, path, condition)
        ]
        if candidates:
            path = candidates[draw.randrange(len(candidates))]
            touched.add(_table(path))
            yield change(connection, path)
    yield from _next_shard(connection)


def _new_column(connection: duckdb.DuckDBPyConnection, table: str) -> Drift:
    name = _NEW_COLUMNS[table]
    connection.execute(f"alter table {table} add column {name} integer")
    connection.execute(f"update {table} set {name} = 1 + rowid % 4 where rowid % 3 = 0")  # noqa: S608 - our own names
    return Drift("came", table, name, "a column was added")


def _renamed(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    connection.execute(f"alter table {table} rename column {column} to {_RENAMED[path]}")
    return Drift("renamed", table, _RENAMED[path], "a column was renamed", was=column)


def _dropped(connection: duckdb.DuckDBPyConnection, table: str) -> Drift:
    connection.execute(f"drop table {table}")
    return Drift("gone", table, None, "a table was dropped")


def _added(connection: duckdb.DuckDBPyConnection, source: str) -> Drift:
    table = f"{source}_copy"
    connection.execute(f"create table {table} as select * from {source} limit 100")  # noqa: S608 - our own names
    return Drift("came", table, None, "a table was added")


def _retyped(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    connection.execute(f"alter table {table} alter {column} type {_RETYPED[path]}")
    return Drift("type", table, column, f"its type is {_RETYPED[path]} now")


def _scaled(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    connection.execute(f"update {table} set {column} = {column} * 10")  # noqa: S608 - our own names
    return Drift("range", table, column, "ten times what it was, as if the unit had changed")


def _new_value(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    connection.execute(
        f"update {table} set {column} = ? where rowid % 12 = 0",  # noqa: S608
        [_NEW_VALUES[path]],
    )
    return Drift("values", table, column, f"a new value, {_NEW_VALUES[path]}")


def _shifted(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    every = round(1 / _SHIFTED[path])
    connection.execute(
        f"update {table} set {column} = (select min({column}) from {table}) "  # noqa: S608 - ours
        f"where rowid % {every} = 0"
    )
    return Drift("values", table, column, "one value is far more frequent")


def _emptied(connection: duckdb.DuckDBPyConnection, path: str) -> Drift:
    table, column = path.rsplit(".", 1)
    connection.execute(f"update {table} set {column} = null where rowid % 3 = 0")  # noqa: S608 - our own names
    return Drift("nulls", table, column, "a third of its values are gone")


def _cut(connection: duckdb.DuckDBPyConnection, table: str) -> Drift:
    connection.execute(f"delete from {table} where rowid % 2 = 0")  # noqa: S608 - our own names
    return Drift("rows", table, None, "half of its rows were deleted")


def _next_shard(connection: duckdb.DuckDBPyConnection) -> Iterator[Drift]:
    """The next daily shard, which is no change to report."""
    [[last]] = connection.execute(
        "select max(table_name) from duckdb_tables() where schema_name || '.' || table_name "
        "similar to ?",
        [f"{_SHARDS}[0-9]{{8}}"],
    ).fetchall()
    if not last:
        return
    day = last.rsplit("_", 1)[1]
    following = date(int(day[:4]), int(day[4:6]), int(day[6:])) + timedelta(days=1)
    new = f"{_SHARDS}{following:%Y%m%d}"
    connection.execute(
        f"create table {new} as select * replace ('{following:%Y%m%d}' as date) from {_SHARDS}{day}"  # noqa: S608 - ours
    )
    yield Drift("shard", f"{_SHARDS}*", None, f"a new day, {following}")


_Change = Callable[[duckdb.DuckDBPyConnection, str], Drift]
# Each with what must hold of a place, as SQL: what was done there once is not done again.
_CHANGES: Sequence[tuple[_Change, Sequence[str], Callable[[str, str], str]]] = (
    (_new_column, tuple(_NEW_COLUMNS), lambda table, _: _lacks(table, _NEW_COLUMNS[table])),
    (_renamed, tuple(_RENAMED), lambda _table, _column: "count(*) >= 0"),
    (_dropped, _DROPPED, lambda _table, _column: "count(*) >= 0"),
    (_added, _COPIED, lambda table, _: _lacks(f"{table}_copy", None)),
    (
        _retyped,
        tuple(_RETYPED),
        lambda table, column: (
            f"typeof(any_value({column})) <> upper('{_RETYPED[f'{table}.{column}']}')"
        ),
    ),
    (_scaled, _SCALED, lambda _, column: f"max({column}) < 100000000"),
    (
        _new_value,
        tuple(_NEW_VALUES),
        lambda table, column: f"bool_and({column} <> '{_NEW_VALUES[f'{table}.{column}']}')",
    ),
    (
        _shifted,
        tuple(_SHIFTED),
        lambda table, column: (
            f"avg(({column} = (select min({column}) from {table}))::integer) < 0.5"  # noqa: S608
        ),
    ),
    (_emptied, _EMPTIED, lambda _, column: f"count({column}) > 0.25 * count(*)"),
    (_cut, _CUT, lambda _table, _column: "count(*) > 50"),
)


def _lacks(table: str, column: str | None) -> str:
    schema, name = table.split(".")
    also = f" and column_name = '{column}'" if column else ""
    named = f"schema_name = '{schema}' and table_name = '{name}'{also}"
    return f"count(*) >= 0 and not exists (from duckdb_columns() where {named})"


def _holds(
    connection: duckdb.DuckDBPyConnection, path: str, condition: Callable[[str, str], str]
) -> bool:
    table, column = _table(path), path.rpartition(".")[2]
    [[holds]] = connection.execute(f"select {condition(table, column)} from {table}").fetchall()  # noqa: S608 - ours
    return bool(holds)


def _table(path: str) -> str:
    return ".".join(path.split(".")[:2])


def _exists(connection: duckdb.DuckDBPyConnection, path: str) -> bool:
    """Whether a table or column exists."""
    schema, table, *column = path.split(".")
    found = connection.execute(
        "select 1 from duckdb_columns() "
        "where schema_name = ? and table_name = ? and column_name = coalesce(?, column_name)",
        [schema, table, column[0] if column else None],
    ).fetchone()
    return found is not None
