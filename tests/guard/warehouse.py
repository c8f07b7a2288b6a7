"""The shop that probes run on: catalog in every dialect, and its tables."""

from msgspec.structs import replace

from linker.sql_policy.guard import Guard, ProbeLimits
from linker.sql_policy.visible_tables import KnownTable, KnownTables
from linker.types import TableRef

DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery")
EVENTS = ("events_20250101", "events_20250102", "events_20250103")
COLUMNS = {
    "orders": "order_id customer_id status amount ordered_at day tags payload",
    "order_items": "order_id sku quantity price",
    "customers": "customer_id name email:mask phone:mask password_hash:hide country created_at",
    "products": "sku title category price",
    "events_*": "event_id user_id event_name happened_at params token:hide",
    "Weird Table": "Strange|column order é",
}
CREATE = {
    "orders": "order_id int, customer_id int, status {text}, amount decimal(10, 2), ordered_at timestamp, day date, tags {text}[], payload {json}",
    "order_items": "order_id int, sku {text}, quantity int, price decimal(10, 2)",
    "customers": "customer_id int, name {text}, email {text}, phone bigint, password_hash {text}, country {text}, created_at timestamp",
    "products": "sku {text}, title {text}, category {text}, price decimal(10, 2)",
    **dict.fromkeys(
        EVENTS,
        "event_id int, user_id int, event_name {text}, happened_at timestamp, params {json}, token {text}",
    ),
    '"Weird Table"': '"Strange column" int, "order" int, "é" int',
}
ROWS = {
    "orders": """
        (1, 1, 'paid', 10.50, '2025-01-01 10:00:00', '2025-01-01', {tags_ab}, '{{"channel": "web", "items": [{{"sku": "A"}}, {{"sku": "B"}}]}}'),
        (2, 1, 'open', 20.00, '2025-01-02 11:30:00', '2025-01-02', {tags_a}, '{{"channel": "shop", "items": []}}'),
        (3, 2, 'paid', null, '2025-02-03 09:15:00', '2025-02-03', null, null)""",
    "order_items": "(1, 'A', 2, 3.00), (1, 'B', 1, 4.50), (2, 'A', 1, 3.00)",
    "customers": """
        (1, 'Ada', 'ada@example.com', 4915112345, 'SECRET-1', 'DE', '2024-01-01 00:00:00'),
        (2, 'Bob', 'bob@example.com', 4915154321, 'SECRET-2', 'FR', '2024-06-01 00:00:00'),
        (3, 'Cyd', null, null, 'SECRET-3', null, '2024-07-01 00:00:00')""",
    "products": "('A', 'Apple', 'fruit', 3.00), ('B', 'Bread', 'bakery', 4.50)",
    **{
        name: f"({number}, 1, 'click', '2025-01-0{number} 12:00:00', '{{{{\"x\": 1}}}}', 'SECRET-T')"
        for number, name in enumerate(EVENTS, 1)
    },
    '"Weird Table"': "(1, 2, 3)",
}
# What the catalogue does not know: no probe may get there.
OUTSIDE = (
    "create table shop.secrets as select 'SECRET-S' as x",
    "create table other.secrets as select 'SECRET-O' as x",
    "create table other.orders as select 'SECRET-Q' as x",
    "create schema orders",
    "create table orders.customers as select 'SECRET-C' as x",
)
# Postgres reads `t.trap` as a call, and a quoted name as different from its own function.
TRAPS = [
    f"create function public.{name}(anyelement) returns text language sql as $$ select 'SECRET-F' $$"
    for name in ("trap", '"PG_TYPEOF"', '"Lower"')
]
_TYPES = {
    "duckdb": {"text": "varchar", "json": "json", "tags_ab": "['a', 'b']", "tags_a": "['a']"},
    "postgres": {
        "text": "text",
        "json": "jsonb",
        "tags_ab": "array['a', 'b']",
        "tags_a": "array['a']",
    },
}


def known(dialect: str) -> KnownTables:
    """The catalogue; Snowflake keeps names in upper case."""
    case = str.upper if dialect == "snowflake" else str
    tables = []
    for name, columns in COLUMNS.items():
        pairs = [column.partition(":")[::2] for column in columns.split()]
        privacy = {case(column.replace("|", " ")): said or "show" for column, said in pairs}
        members = tuple(map(case, EVENTS)) if name == "events_*" else (case(name),)
        tables.append(KnownTable(TableRef(case("shop"), case(name)), members, privacy))
    return KnownTables(dialect, tuple(tables), case("warehouse"), case("shop"))


def guard(dialect: str, rows: int = 100) -> Guard:
    """The guard before that shop."""
    return Guard(known(dialect), replace(ProbeLimits(), rows=rows))


def statements(dialect: str) -> list[str]:
    """What makes the shop in a real warehouse."""
    made = ["create schema shop", "create schema other", *OUTSIDE]
    made += TRAPS if dialect == "postgres" else []
    for name, columns in CREATE.items():
        made.append(f"create table shop.{name} ({columns.format(**_TYPES[dialect])})")
        made.append(f"insert into shop.{name} values {ROWS[name].format(**_TYPES[dialect])}")
    return made
