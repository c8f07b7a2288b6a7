"""The demo warehouse is deterministic, large enough, and has its documented flaws."""

import re
from pathlib import Path

import duckdb
import pytest
import yaml

from linker.demo.warehouse import build_warehouse

SCHEMAS = {"sales", "product", "web", "finance", "support", "logistics", "people"}
KEY = re.compile(r"_?(20\d\d_?\d\d_?\d\d|20\d\d_?\d\d|20\d\d_q\d|\d+)$")


def quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


TABLES = "select schema_name, table_name from duckdb_tables() where not internal"


def digests(path: Path) -> dict[tuple[str, str], str]:
    """A digest of every table's rows that does not depend on their order."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            table: str(
                connection.execute(
                    f"select count(*), bit_xor(hash(t)) from {quoted(*table)} as t"
                ).fetchall()
            )
            for table in connection.execute(TABLES).fetchall()
        }


def logical(table: str) -> str:
    return KEY.sub("", table)


def scalar(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    return int(connection.execute(sql).fetchall()[0][0])


def test_the_same_seed_gives_the_same_warehouse_and_another_seed_another(
    small_path: Path, tmp_path: Path
) -> None:
    second, other = tmp_path / "second", tmp_path / "other"
    build_warehouse(second, scale=0.05)
    build_warehouse(other, scale=0.05, seed=8)
    first, of_another_seed = digests(small_path), digests(other)
    assert first == digests(second)
    assert first != of_another_seed
    assert first.keys() == of_another_seed.keys()


def test_scale_grows_the_rows_and_not_the_tables(warehouse_path: Path, small_path: Path) -> None:
    count = "select count(*) from sales.orders"
    with (
        duckdb.connect(str(small_path), read_only=True) as small,
        duckdb.connect(str(warehouse_path), read_only=True) as large,
    ):
        assert set(small.execute(TABLES).fetchall()) == set(large.execute(TABLES).fetchall())
        assert scalar(large, count) >= 15 * scalar(small, count)


def test_it_has_sixty_logical_tables_and_nine_hundred_columns_over_its_schemas(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    columns = connection.execute(
        "select schema_name, table_name, column_name from duckdb_columns() where not internal"
    ).fetchall()
    assert {schema for schema, _, _ in columns} >= SCHEMAS
    assert len({(schema, logical(table)) for schema, table, _ in columns}) >= 60
    assert len({(schema, logical(table), column) for schema, table, column in columns}) >= 900


def test_sessions_are_365_daily_shards_of_one_nested_table(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    shards = connection.execute(
        "select table_name, list(data_type order by column_index) from duckdb_columns() "
        "where schema_name = 'web' and table_name like 'sessions\\_2025____' escape '\\' group by table_name"
    ).fetchall()
    assert len(shards) == 365
    assert len({tuple(types) for _, types in shards}) == 1
    assert sum("STRUCT" in one for one in shards[0][1]) >= 3


def test_about_half_of_the_tables_and_columns_are_described(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    tables = connection.execute(
        "select schema_name, table_name, comment from duckdb_tables() where not internal"
    ).fetchall()
    columns = connection.execute(
        "select schema_name, table_name, column_name, comment from duckdb_columns() where not internal"
    ).fetchall()
    described_tables = {
        (schema, logical(table)): comment is not None for schema, table, comment in tables
    }
    described_columns = {
        (schema, logical(table), name): comment is not None
        for schema, table, name, comment in columns
    }
    for described in (described_tables, described_columns):
        assert 0.35 <= sum(described.values()) / len(described) <= 0.65


@pytest.mark.parametrize(
    ("trait", "pattern"),
    [
        ("blanks", r" "),
        ("mixed case", r"[a-z].*[A-Z]|[A-Z].*[a-z]"),
        ("letters beyond ASCII", r"[^\x00-\x7f]"),
        ("reserved words", r"^(select|order|group|from|to)$"),
    ],
)
def test_some_columns_have_awkward_names(
    connection: duckdb.DuckDBPyConnection, trait: str, pattern: str
) -> None:
    names = connection.execute(
        "select distinct column_name from duckdb_columns() where not internal"
    ).fetchall()
    assert [
        name
        for (name,) in names
        if re.search(pattern, name, re.IGNORECASE if trait == "reserved words" else 0)
    ]


def test_lookup_tables_look_alike_and_hold_different_things(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    lookups = connection.execute(
        "select schema_name, table_name, list(column_name || data_type order by column_index)::varchar "
        "from duckdb_columns() where table_name like 'lkp\\_%' escape '\\' group by all"
    ).fetchall()
    alike: dict[str, list[tuple[str, str]]] = {}
    for schema, table, shape in lookups:
        alike.setdefault(shape, []).append((schema, table))
    groups = [tables for tables in alike.values() if len(tables) >= 3]
    assert len(groups) >= 2
    for tables in groups:
        contents = {
            str(connection.execute(f"select * from {quoted(*table)} order by all").fetchall())
            for table in tables
        }
        assert len(contents) == len(tables)


def foreign_keys() -> list[dict[str, object]]:
    folder = Path(__file__).resolve().parents[2] / "linker" / "demo" / "foreign_keys"
    return [
        key
        for file in sorted(folder.glob("*.yml"))
        for key in yaml.safe_load(file.read_text("utf-8"))
    ]


def physical(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    """The rows of a table, or of all members of a family."""
    schema, _, table = name.partition(".")
    if not table.endswith("*"):
        return quoted(schema, table)
    rows = connection.execute(
        "select table_name from duckdb_tables() where schema_name = ? and starts_with(table_name, ?) order by all",
        [schema, table[:-1]],
    ).fetchall()
    return (
        "("
        + " union all by name ".join(
            f"select * from {quoted(schema, member)}" for (member,) in rows[-31:]
        )
        + ")"
    )


def values_sql(connection: duckdb.DuckDBPyConnection, table: str, columns: list[str]) -> str:
    """The distinct keys of a table as text; a path through a list is unnested on the way."""
    relation = physical(connection, table)
    keys = [f"k{number}" for number in range(len(columns))]
    listed = ", ".join(
        f"{field_sql(connection, relation, column)} as {key}"
        for column, key in zip(columns, keys, strict=True)
    )
    texts = ", ".join(f"{key}::varchar" for key in keys)
    present = " and ".join(f"{key} is not null" for key in keys)
    return f"select distinct {texts} from (select {listed} from {relation}) where {present}"


def field_sql(connection: duckdb.DuckDBPyConnection, relation: str, column: str) -> str:
    """`hits.product.sku` as an expression: lists on the way are unnested, documents taken apart."""
    top, *steps = column.split(".") if "." in column and " " not in column else [column]
    expression = quoted(top)
    for step in steps:
        kind = connection.execute(
            f"select typeof({expression}) from {relation} limit 1"
        ).fetchall()[0][0]
        if kind.endswith("]"):
            expression = f"unnest({expression}).{quoted(step)}"
        elif kind == "JSON":
            expression = f"json_extract_string({expression}, '$.{step}')"
        else:
            expression = f"{expression}.{quoted(step)}"
    return expression


def test_every_true_foreign_key_really_joins(connection: duckdb.DuckDBPyConnection) -> None:
    keys = foreign_keys()
    failures = {}
    for key in keys:
        child = values_sql(connection, str(key["from"]), list(key["columns"]))  # type: ignore[call-overload]
        parent = values_sql(connection, str(key["to"]), list(key["to_columns"]))  # type: ignore[call-overload]
        children = scalar(connection, f"select count(*) from ({child})")
        found = scalar(connection, f"select count(*) from (({child}) intersect ({parent}))")
        # Some orphans are part of the picture.
        if not found or found / children < 0.9:
            failures[f"{key['from']} {key['columns']}"] = f"{found} of {children}"
    assert len(keys) > 300
    assert failures == {}
