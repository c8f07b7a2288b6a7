"""Hypothesis strategies of typical analyst queries with masked columns anywhere."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
_NUMBERS = {
    "orders": ("order_id", "customer_id", "amount"),
    "customers": ("customer_id", "phone"),
    "order_items": ("order_id", "quantity", "price"),
    "products": ("price",),
    "events_20250101": ("event_id", "user_id"),
}
_TEXTS = {
    "orders": ("status",),
    "customers": ("name", "country", "email"),
    "order_items": ("sku",),
    "products": ("sku", "title", "category"),
    "events_20250101": ("event_name",),
}
_DATES = {"orders": "ordered_at", "customers": "created_at", "events_20250101": "happened_at"}
_KEYS = {
    ("orders", "customers"): "customer_id",
    ("orders", "order_items"): "order_id",
    ("order_items", "products"): "sku",
    ("customers", "orders"): "customer_id",
    ("products", "order_items"): "sku",
}
_GIVEN = ("'paid'", "'Ada'", "'x'", "'DE'", "'a%'", "'(masked) '", "''")
_JOINS = ("join", "left join", "full join", "inner join")
_OF_NUMBERS = (
    "{}",
    "{}",
    "{} + 1",
    "abs({})",
    "round({}, 1)",
    "coalesce({}, 0)",
    "-{}",
    "{} * 2",
    "nullif({}, 1)",
)
_OF_TEXTS = (
    "{}",
    "{}",
    "{}",
    "upper({})",
    "lower({})",
    "length({})",
    "substr({}, 1, 2)",
    "coalesce({}, 'none')",
    "{} || '-'",
    "replace({}, 'a', 'b')",
    "cast({} as varchar(5))",
    "trim({})",
    "concat({}, 'x')",
    "md5({})",
)
_AGGREGATES = (
    "count(*)",
    "count({})",
    "count(distinct {})",
    "min({})",
    "max({})",
    "count({}) filter (where {} is null)",
)
_WINDOWS = (
    "row_number() over ({})",
    "rank() over ({})",
    "count(*) over ({})",
    "lag({value}) over ({})",
)
_SETS = ("union all", "union", "intersect", "except")


def _of(draw: Draw, *choices: str) -> str:
    return str(draw(st.sampled_from(choices)))


def _is(draw: Draw, one_in: int) -> bool:
    return bool(draw(st.sampled_from("y" + "n" * (one_in - 1))) == "y")


@st.composite
def shapes(draw: Draw, depth: int = 2) -> str:
    """One statement that a warehouse mostly takes."""
    text = _select(draw, depth)
    if depth and _is(draw, 6):
        text = f"{text} {_of(draw, *_SETS)} {_select(draw, 0)}"
    if depth and _is(draw, 4):
        table = _of(draw, *_TEXTS)
        column = _of(draw, *_TEXTS[table])
        body = (
            f"select *, {column} as given from {table}"
            if _is(draw, 2)
            else f"select {column} as given from {table}"
        )
        use = _of(draw, "count(*)", "given", "count(given)", "count(distinct given)", "max(given)")
        test = _of(
            draw,
            "",
            " where given = 'x'",
            " where given like 'a%'",
            " where given in ('x', 'Ada')",
            " order by 1",
        )
        text = f"with cte as ({body}) select {use} from cte{test}"
    return text


def _select(draw: Draw, depth: int) -> str:
    source, tables = _source(draw, depth)
    items = [_item(draw, tables) for _ in range(draw(st.integers(1, 3)))]
    where = f" where {_condition(draw, tables, depth)}" if _is(draw, 2) else ""
    if _is(draw, 3):
        key = _value(draw, tables)
        aggregate = _of(draw, *_AGGREGATES).replace("{}", _value(draw, tables))
        having = _of(draw, "", "", " having count(*) > 1")
        return f"select {key}, {aggregate} from {source}{where} group by {_of(draw, key, '1')}{having}{_tail(draw)}"
    distinct = "distinct " if _is(draw, 6) else ""
    return f"select {distinct}{', '.join(items)} from {source}{where}{_tail(draw)}"


def _tail(draw: Draw) -> str:
    return _of(
        draw,
        "",
        "",
        " order by 1",
        " order by 1 desc limit 2",
        " limit 50",
        " order by 1 nulls last",
    )


def _source(draw: Draw, depth: int) -> tuple[str, dict[str, str]]:
    table = _of(draw, *_TEXTS)
    if depth and _is(draw, 5):
        inner = _of(draw, "*", f"{_of(draw, *_TEXTS[table])} as given, *", "distinct *")
        return f"(select {inner} from {table}) as s", {"s": table}
    others = [pair for pair in _KEYS if pair[0] == table]
    if others and _is(draw, 2):
        _, other = draw(st.sampled_from(others))
        key = _KEYS[table, other]
        on = f"on a.{key} = b.{key}" if _is(draw, 2) else f"using ({key})"
        return f"{table} as a {_of(draw, *_JOINS)} {other} as b {on}", {"a": table, "b": other}
    return f"{table} as a", {"a": table}


def _column(draw: Draw, tables: dict[str, str], columns: dict[str, tuple[str, ...]]) -> str:
    alias = _of(draw, *tables)
    return f"{alias}.{_of(draw, *columns[tables[alias]])}"


def _value(draw: Draw, tables: dict[str, str]) -> str:
    if _is(draw, 2):
        return _of(draw, *_OF_NUMBERS).replace("{}", _column(draw, tables, _NUMBERS))
    return _of(draw, *_OF_TEXTS).replace("{}", _column(draw, tables, _TEXTS))


def _item(draw: Draw, tables: dict[str, str]) -> str:
    value = _value(draw, tables)
    over = _of(draw, "order by {}", "partition by {}", "partition by {} order by {}", "").replace(
        "{}", value
    )
    dated = [f"{alias}.{_DATES[table]}" for alias, table in tables.items() if table in _DATES] or [
        "current_date"
    ]
    date = _of(
        draw, "date_trunc('month', {})", "extract(year from {})", "cast({} as date)"
    ).replace("{}", dated[0])
    return _of(
        draw,
        value,
        value,
        value,
        f"{_of(draw, *tables)}.*",
        f"case when {_condition(draw, tables, 0)} then 1 else 0 end",
        _of(draw, *_WINDOWS).replace("{value}", value).replace("{}", over),
        date,
        f"count({value})",
        "(select max(customer_id) from customers) as top",
        "count(*)",
        f"min({value})",
        f"string_agg({value}, ',')",
    )


def _condition(draw: Draw, tables: dict[str, str], depth: int) -> str:
    value, text = _value(draw, tables), _column(draw, tables, _TEXTS)
    shape = _of(
        draw,
        "{text} = {given}",
        "{text} <> {given}",
        "{text} in ({given}, 'z')",
        "{text} like {given}",
        "{value} is null",
        "{text} is not null",
        "{value} > 1",
        "not ({text} = {given})",
        "{text} between 'a' and {given}",
        "{text} = {given} or {value} is not null",
        "{text} is distinct from {given}",
        "{given} = {text}",
        *(
            [
                "exists (select 1 from customers as e where {inner})",
                "{text} in (select {column} from customers)",
            ]
            * depth
        ),
        *(
            [
                "{given} in (select {column} from customers)",
                "(select min({column}) from customers) > {given}",
            ]
            * depth
        ),
    )
    given, column = _of(draw, *_GIVEN), _of(draw, "email", "name", "country")
    inner = _of(
        draw,
        "e.email = {given}",
        "e.name = {text}",
        "e.email = {text}",
        "e.password_hash is not null",
    )
    filled = shape.replace("{inner}", inner)
    return (
        filled.replace("{text}", text)
        .replace("{given}", given)
        .replace("{value}", value)
        .replace("{column}", column)
    )
