"""A user-defined function named like an SQL keyword is refused."""

import contextlib
import re
from collections.abc import Iterator

import pytest

from linker.errors import GuardError, WarehouseError
from linker.sql_policy.allowlist import listed
from linker.warehouses import Warehouse, dialect_of
from tests.guard.shops import duckdb_shop, postgres_shop
from tests.guard.test_guard import GUARDS
from tests.guard.warehouse import DIALECTS

WORDS = sorted(listed("keywords") | listed("types"))
# No warehouse allows these as function names, or they start a clause without arguments.
SYNTAX = {
    "all",
    "any",
    "cube",
    "distinct",
    "having",
    "interval",
    "not",
    "offset",
    "qualify",
    "rollup",
    "select",
    "values",
    "where",
}
SHAPES = (
    "select {}(name) from customers limit 1",
    "select {}(name, name) from customers",
    "select {}() from customers",
    "select * from {}(1)",
    "select * from orders, {}(1) as t",
    "select 1 from customers where {}(name) = 'x'",
    "select 1 from customers order by {}(name)",
    "select 1 from customers group by {}(name)",
    "values ({}(1))",
    "select {}(name) over () from customers",
    "select {} (name) as x from customers",
    "select -{}(1)",
    "select name || {}(name) from customers",
    "select 1 from customers join orders on {}(name) = 'x'",
    "select x from (select {}(name) as x from customers) as q",
    "select max({}(name)) from customers",
    "select name from customers where name in ({}(name))",
    "select {}(*) from customers",
    "select case when {}(name) = 'x' then 1 end from customers",
    "select {}(c) from customers as c",
    "select cast({}(name) as varchar(10)), count(*) filter (where true) from customers",
    "select {}(distinct name)",
    "select {}(order_id) from orders as {}(order_id)",
    "with {}(a) as (select 1) select {}(a) from {}",
    'select "{}"(name) from customers',
    "select {}/**/(name) from customers",
    "select {}(name)::varchar from customers",
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_word_before_a_parenthesis_is_a_call_unless_the_tree_has_none_of_that_name(
    dialect: str,
) -> None:
    for word in WORDS:
        if word not in SYNTAX | dialect_of(dialect).probe_functions.names:
            for shape in SHAPES[:5]:
                with contextlib.suppress(GuardError):
                    written = GUARDS[dialect].check(shape.replace("{}", word)).sql
                    assert not re.search(rf"\b{word} ?\(", written, re.IGNORECASE), written


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("word", ["object", "vector", "text", "system", "materialized", "bytes"])
def test_a_function_that_is_called_like_a_word_is_refused_by_its_name(
    dialect: str, word: str
) -> None:
    with pytest.raises(GuardError, match=f"`{word}` is not one that a probe may call") as caught:
        GUARDS[dialect].check(f"select {word}(name) from customers limit 1")
    assert caught.value.code == "forbidden_function"


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def trapped(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    """A warehouse where every word is a function that reveals hidden values."""
    with (
        duckdb_shop(tmp_path_factory.mktemp("words"), duckdb_traps())
        if request.param == "duckdb"
        else postgres_shop(postgres_traps())
    ) as opened:
        yield opened
        opened.close()


def duckdb_traps() -> list[str]:
    told = "(select string_agg(password_hash, ',') from shop.customers)"
    listed_names = dialect_of("duckdb").probe_functions.names
    return [
        f'create macro "{name}"(a := 1, b := 1) as {told}'
        for name in {*WORDS, *listed_names} - {"string_agg"}
    ]


def postgres_traps() -> list[str]:
    body = "language sql security definer as $$ select string_agg(password_hash, ',') from shop.customers $$"
    return [
        f'create function public."{name}"({taken}) returns text {body}'
        for name in (*WORDS, *sorted(dialect_of("postgres").probe_functions.names - set(WORDS)))
        for taken in ("", "text", "text, text", "int")
    ]


def test_no_shape_of_a_call_reaches_a_function_of_somebodys_own(trapped: Warehouse) -> None:
    ran = 0
    # What extensions of Postgres bring lies in any schema.
    extensions = {
        "levenshtein",
        "metaphone",
        "similarity",
        "soundex",
        "unaccent",
        "word_similarity",
    }
    for word in sorted({*WORDS, *dialect_of(trapped.dialect).probe_functions.names} - extensions):
        for shape in SHAPES[:8] if word in WORDS else SHAPES[:1]:
            sql = shape.replace("{}", word)
            with contextlib.suppress(GuardError):
                probe = GUARDS[trapped.dialect].check(sql)
                with contextlib.suppress(WarehouseError):
                    ran += 1
                    assert "SECRET" not in str(trapped.query(probe.sql)), sql
    assert ran > 50


def test_the_traps_are_set(trapped: Warehouse) -> None:
    """Without the guard the session reveals hidden values, so the test above would fail."""
    assert "SECRET" in str(
        trapped.query("select sample(name), object(name) from shop.customers limit 1")
    )
