"""
Spark: a session over a Thrift server, or in a Spark of its own, with the options that dbt-spark
takes; the rules of its SQL.

Spark has no read-only session: beside the guard, give the user of the target no more than it needs.
The driver is imported when a session is opened.
"""

import re
import time
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Protocol

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError, first_line
from linker.warehouses.base import SIGNATURE, USUAL, Bounds, Row, refused_statement, too_slow
from linker.warehouses.base.dialect import (
    FUNCTIONS,
    Dialect,
    KnownFailure,
    ProbeFunctions,
    Refusals,
    hints,
)

# https://spark.apache.org/docs/latest/sql-error-conditions.html
_MISSING = (
    "TABLE_OR_VIEW_NOT_FOUND",
    "SCHEMA_NOT_FOUND",
    "UNRESOLVED_COLUMN",
    "REQUIRES_SINGLE_PART_NAMESPACE",
)
# Parse statements as the guard does, and do not expand `${…}`:
# https://spark.apache.org/docs/latest/configuration.html
_SETTINGS = {
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
}
_CODE = re.compile(r"\[[A-Z][A-Z0-9_.]+\] (?!org\.|java\.)")
_POLL_SECONDS = 0.02
_HINT = "check target `{}` in profiles.yml; `dbt debug` connects with it too"


class _RefusedError(Exception):
    """A statement that Spark rejected."""


class SparkDriver(Protocol):
    """Runs statements in Spark."""

    def run(self, text: str, seconds: int, rows: int | None) -> list[Row]:
        """At most `rows` rows."""

    def close(self) -> None: ...


class SparkWarehouse:
    """A session in Spark."""

    dialect = "spark"
    bytes_read = None

    def __init__(self, driver: SparkDriver) -> None:
        self._driver = driver

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        """Spark binds the parameters."""
        text = sql
        if parameters:
            values = ", ".join(map(literal, parameters))
            text = f"execute immediate {literal(sql)} using {values}"
        return self._run(f"{text} {SIGNATURE}", bounds)

    def relations(self, schema: str) -> Mapping[str, str]:
        try:
            rows = self._run(f"show tables in {in_backticks(schema)}", USUAL)
        except WarehouseError as error:
            if "SCHEMA_NOT_FOUND" in error.what:
                return {}
            raise
        # Temporary views have no schema.
        owned = [row for row in rows if row[0]]
        return {row[1].lower(): ".".join(map(in_backticks, row[:2])) for row in owned}

    def close(self) -> None:
        self._driver.close()

    def _run(self, text: str, bounds: Bounds) -> list[Row]:
        try:
            return self._driver.run(text, bounds.seconds, bounds.rows)
        except _RefusedError as error:
            reason = str(error.args[0])
            raise refused_statement("Spark", reason, is_missing=is_missing(reason)) from error


class ThriftDriver:
    """A Thrift server through PyHive, as in dbt-spark."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        from pyhive import hive

        self._connection = hive.connect(
            host=options["host"],
            port=int(options.get("port", 443)),
            username=options.get("user"),
            auth=options.get("auth"),
            kerberos_service_name=options.get("kerberos_service_name"),
            password=options.get("password"),
            configuration=_settings(options),
        )
        for name, value in _SETTINGS.items():
            self.run(f"set {name}={value}", USUAL.seconds, None)

    def run(self, text: str, seconds: int, rows: int | None) -> list[Row]:
        """The server enforces the timeout."""
        from pyhive.exc import Error
        from TCLIService.ttypes import TOperationState as State

        ends_at = time.monotonic() + seconds
        cursor = self._connection.cursor()
        try:
            cursor.execute(text, async_=True)
            reply = cursor.poll()
            while reply.operationState in (
                State.INITIALIZED_STATE,
                State.RUNNING_STATE,
                State.PENDING_STATE,
            ):
                if time.monotonic() > ends_at:
                    cursor.cancel()
                    raise too_slow(seconds)
                time.sleep(_POLL_SECONDS)
                reply = cursor.poll()
            if reply.operationState != State.FINISHED_STATE:
                raise _RefusedError(reason_of(reply.errorMessage or "it was ended"))
            if not cursor.description:
                return []
            rows_read = cursor.fetchall() if rows is None else cursor.fetchmany(rows)
        except Error as error:
            raise _RefusedError(reason_of(_thrift_message(error))) from error
        finally:
            cursor.close()
        return [tuple(row) for row in rows_read]

    def close(self) -> None:
        self._connection.close()


class OwnSpark:
    """An in-process Spark, as dbt-spark's method `session`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.enableHiveSupport()
        for name, value in _settings(options).items():
            builder = builder.config(name, value)
        self._session = builder.getOrCreate()
        for name, value in _SETTINGS.items():
            self._session.conf.set(name, value)

    def run(self, text: str, seconds: int, rows: int | None) -> list[Row]:  # noqa: ARG002 - the process is ended
        from pyspark.errors import PySparkException

        try:
            frame = self._session.sql(text)
            listed = frame.collect() if rows is None else frame.take(rows)
            return [tuple(row) for row in listed]
        except PySparkException as error:
            raise _RefusedError(reason_of(str(error))) from error

    def close(self) -> None:
        self._session.stop()


def open_target(target: Target) -> SparkWarehouse:
    """Connect by the target's method."""
    options = target.filled_options
    method = options.get("method")
    if method not in ("thrift", "session") or options.get("use_ssl"):
        raise ConfigError(
            f"target `{target.name}` connects to Spark by {method}"
            f"{' with TLS' if options.get('use_ssl') else ''}, which linker does not",
            hint=(
                "supported methods: thrift, session; for Databricks, use a target of dbt-databricks"
            ),
        )
    try:
        return SparkWarehouse(ThriftDriver(options) if method == "thrift" else OwnSpark(options))
    except ModuleNotFoundError:
        raise
    except Exception as error:
        # Thrift, SASL and Java have separate exception hierarchies.
        raise WarehouseError(
            f"Spark of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=_HINT.format(target.name),
        ) from error


def _settings(options: Mapping[str, Any]) -> dict[str, str]:
    given = options.get("server_side_parameters") or {}
    return {str(name): str(value) for name, value in given.items()}


def _thrift_message(error: Exception) -> str:
    reply = error.args[0] if error.args else error
    status = getattr(reply, "status", None)
    return str(getattr(status, "errorMessage", None) or error)


def reason_of(message: str) -> str:
    """An error from its last code on: `[TABLE_OR_VIEW_NOT_FOUND] The table …`."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    text = next((line for line in lines if _CODE.search(line)), lines[0] if lines else "")
    codes = [match.start() for match in _CODE.finditer(text)]
    return text[codes[-1] :] if codes else text


def is_missing(reason: str) -> bool:
    """Whether an error is about a missing object."""
    return any(word in reason for word in _MISSING)


def in_backticks(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def literal(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int | Decimal):
        return str(value).lower()
    if isinstance(value, float):
        return f"cast('{value}' as double)"
    if isinstance(value, datetime):
        return f"timestamp_ntz'{value.replace(tzinfo=None).isoformat(' ')}'"
    if isinstance(value, date):
        return f"date'{value.isoformat()}'"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return f"'{text}'"


DIALECT = Dialect(
    name="spark",
    change_source="times of the files",
    patience_seconds=5,
    # Spark has no statement timeout for dbt.
    may_wait_forever=True,
    keeps_others_out=True,
    text_type="string",
    explains=True,
    samples_queries=True,
    probe_functions=ProbeFunctions(FUNCTIONS / "spark.yml"),
    refusals=Refusals(FUNCTIONS / "spark.yml", schemas=None),
    sql_hints=hints("spark"),
    failures=(
        KnownFailure(
            pattern=r"Another instance of Derby may have already booted the database (?P<place>\S+)",  # noqa: E501
            what="another Spark has the metastore {place} open",
            hint="end it, or connect to it by the method thrift",
        ),
    ),
)
