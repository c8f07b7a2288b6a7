"""Spark sessions: literals, settings, one-line errors and connection methods."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from linker.config.target import Target
from linker.errors import ConfigError, GuardError
from linker.warehouses import dialect_of
from linker.warehouses.base.read_only import only_reading
from linker.warehouses.databricks import connection_options
from linker.warehouses.spark import in_backticks, literal, open_target, reason_of


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (12, "12"),
        (Decimal("10.25"), "10.25"),
        (1.5, "cast('1.5' as double)"),
        (date(2025, 1, 31), "date'2025-01-31'"),
        (datetime(2025, 1, 31, 8, 15), "timestamp_ntz'2025-01-31 08:15:00'"),
        ("it's a \\", "'it\\'s a \\\\'"),
        ("${env:HOME}", "'\\u0024{env:HOME}'"),
    ],
)
def test_a_value_is_spelled_so_that_it_stays_a_value(value: object, written: str) -> None:
    assert literal(value) == written


def test_a_name_ends_at_no_backtick_of_its_own() -> None:
    assert in_backticks("a`b") == "`a``b`"


def test_an_error_is_one_line_without_the_names_of_java() -> None:
    message = (
        "org.apache.hive.service.cli.HiveSQLException: Error running query: [TABLE_OR_VIEW_NOT_FOUND]"
        " org.apache.spark.sql.AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found."
        "\n\tat org.apache.spark.sql.Something(Something.scala:1)"
    )
    assert reason_of(message) == "[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found."
    assert reason_of("connection lost\nmore") == "connection lost"


def test_a_way_in_that_linker_does_not_know_is_named_with_those_that_it_does() -> None:
    target = Target(
        "p", "dev", "spark", "shop", Path(), {"method": "odbc", "host": "spark.example"}
    )
    with pytest.raises(ConfigError, match="by odbc") as caught:
        open_target(target)
    assert "thrift, session" in caught.value.hint


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize(
    "statement",
    [
        "select java_method('java.lang.System', 'getenv', 'HOME')",
        "select reflect('java.lang.System', 'getenv', 'HOME')",
        "select input_file_name() from orders",
        "select secret('scope', 'key')",
        "select ai_query('model', 'text')",
        "insert overwrite orders select 1",
        "cache table orders",
        "set spark.sql.variable.substitute=true",
        "execute immediate 'drop table orders'",
        "describe history orders",
        "begin select 1; end",
    ],
)
def test_what_does_more_than_read_is_refused(dialect: str, statement: str) -> None:
    with pytest.raises(GuardError):
        only_reading(statement, dialect)


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
def test_what_reads_is_let_through(dialect: str) -> None:
    for statement in (
        "select id, count_if(amount > 1) from shop.orders group by id",
        "select item from shop.orders lateral view explode(tags) t as item",
        "select `a b`.c, 'it\\'s' from shop.orders",
    ):
        assert only_reading(statement, dialect) == statement


def test_databricks_signs_in_by_a_token_a_service_principal_or_a_browser() -> None:
    options = {"host": "host.example", "http_path": "/sql/1.0/warehouses/1", "catalog": "main"}

    def signs_in(**more: str) -> set[str]:
        target = Target("p", "dev", "databricks", "shop", Path(), {**options, **more})
        return connection_options(target).keys() & {
            "access_token",
            "credentials_provider",
            "auth_type",
        }

    assert signs_in(token="t") == {"access_token"}
    assert signs_in(client_id="c", client_secret="s") == {"credentials_provider"}
    assert signs_in() == {"auth_type"}


def test_a_session_in_spark_lets_go_of_it_for_dbt_and_one_in_databricks_need_not() -> None:
    assert dialect_of("spark").keeps_others_out
    assert not dialect_of("databricks").keeps_others_out
