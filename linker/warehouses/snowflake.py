"""
Snowflake: a session with a time limit, with the options of dbt-snowflake, and its SQL rules.

Snowflake has no read-only session: grant the role of the target `select` only. The driver is
imported on connecting.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linker.config.target import Target
from linker.errors import ConfigError, WarehouseError, first_line
from linker.warehouses.base import (
    SIGNATURE,
    TIMEOUT_SECONDS,
    USUAL,
    Bounds,
    Row,
    listed_relations,
    refused_statement,
)
from linker.warehouses.base.dialect import (
    FUNCTIONS,
    Dialect,
    KnownFailure,
    ProbeFunctions,
    QueryHistory,
    Refusals,
    dialect_sql,
    hints,
    words,
)

if TYPE_CHECKING:
    import snowflake.connector

# https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api#functions
_PASSED_ON = (
    "user",
    "password",
    "role",
    "warehouse",
    "database",
    "schema",
    "authenticator",
    "token",
    "host",
    "port",
    "protocol",
    "proxy_host",
    "proxy_port",
    "insecure_mode",
    "client_session_keep_alive",
)
# "Object does not exist or not authorized" (SQLSTATE 42S02), "invalid identifier" (42000). Not
# 2043: Snowflake uses it for operations, its emulator for all errors.
_MISSING = (2003, 904)


class SnowflakeWarehouse:
    """A session in a database."""

    dialect = "snowflake"
    bytes_read = None

    def __init__(self, connection: "snowflake.connector.SnowflakeConnection") -> None:
        self._connection = connection

    def query(
        self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL
    ) -> list[Row]:
        import snowflake.connector

        # Appended, since Snowflake strips leading comments; the query tag may be the target's.
        text = f"{sql} {SIGNATURE}"
        try:
            with self._connection.cursor() as cursor:
                cursor.execute(
                    text,
                    tuple(parameters) or None,
                    num_statements=1,
                    _statement_params={"STATEMENT_TIMEOUT_IN_SECONDS": bounds.seconds},
                )
                rows = cursor.fetchall() if bounds.rows is None else cursor.fetchmany(bounds.rows)
                return [tuple(row) for row in rows]
        except (snowflake.connector.Error, ValueError) as error:
            is_missing = getattr(error, "errno", None) in _MISSING
            raise refused_statement(
                "Snowflake", first_line(error), is_missing=is_missing
            ) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        """Most names are unquoted in dbt, so they are upper case."""
        return listed_relations(self, schema)

    def cancel(self) -> None:
        """
        Cancel all queries of this session.

        https://docs.snowflake.com/en/sql-reference/functions/system_cancel_all_queries
        """
        with self._connection.cursor() as cursor:
            cursor.execute(f"select system$cancel_all_queries({self._connection.session_id})")

    def close(self) -> None:
        self._connection.close()


def open_target(target: Target) -> SnowflakeWarehouse:
    import snowflake.connector

    try:
        return SnowflakeWarehouse(snowflake.connector.connect(**connection_options(target)))
    except (snowflake.connector.Error, OSError) as error:
        raise WarehouseError(
            f"Snowflake of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error


def connection_options(target: Target) -> dict[str, Any]:
    """Connector options; empty ones are omitted."""
    options = target.filled_options
    if options.get("oauth_client_id") or options.get("oauth_client_secret"):
        raise ConfigError(
            f"target `{target.name}` signs in with a refresh token, which linker does not exchange",
            hint=(
                "use key pair authentication (`private_key_path`), or `authenticator: oauth` with "
                "an access token"
            ),
        )
    passed = {key: options[key] for key in _PASSED_ON if key in options}
    # As in dbt: addresses replace underscores of account names.
    passed["account"] = re.sub("_", "-", str(options.get("account", "")))
    if passed.get("authenticator") == "jwt":
        passed["authenticator"] = "oauth"
    if "authenticator" in passed:
        passed |= {"client_store_temporary_credential": True, "client_request_mfa_token": True}
    return passed | _private_key(target, options) | _session(options)


def _session(options: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {
        "STATEMENT_TIMEOUT_IN_SECONDS": TIMEOUT_SECONDS,
        "QUERY_TAG": options.get("query_tag", "dbt-linker"),
        # Also of disconnected clients.
        "ABORT_DETACHED_QUERY": True,
    }
    return {
        "application": "dbt_linker",
        "autocommit": True,
        "paramstyle": "qmark",
        "network_timeout": options.get("network_timeout", TIMEOUT_SECONDS),
        "login_timeout": options.get("connect_timeout", 30),
        "session_parameters": {**parameters, "CLIENT_TELEMETRY_ENABLED": False},
    }


def _private_key(target: Target, options: Mapping[str, Any]) -> dict[str, Any]:
    """The private key from a file, or inline as PEM or Base64 DER."""
    passphrase = options.get("private_key_passphrase")
    if path := options.get("private_key_path"):
        return {
            "private_key_file": str(path),
            **({"private_key_file_pwd": str(passphrase)} if passphrase else {}),
        }
    if not (given := options.get("private_key")):
        return {}
    from cryptography.hazmat.primitives import serialization

    password = str(passphrase).encode() if passphrase else None
    try:
        if str(given).startswith("-"):
            key = serialization.load_pem_private_key(str(given).encode(), password)
        else:
            key = serialization.load_der_private_key(base64.b64decode(str(given)), password)
    except (ValueError, TypeError):
        # The message may quote the key.
        raise ConfigError(
            f"`private_key` of target `{target.name}` is not a private key, or its passphrase is "
            "wrong",
            hint=(
                "give it as PEM, or as the Base64 of DER; or name its file with `private_key_path`"
            ),
        ) from None
    pkcs8 = serialization.PrivateFormat.PKCS8
    return {
        "private_key": key.private_bytes(
            serialization.Encoding.DER, pkcs8, serialization.NoEncryption()
        )
    }


DIALECT = Dialect(
    name="snowflake",
    ossie_name="SNOWFLAKE",
    change_source="time of the last change",
    patience_seconds=2,
    cancels_statements=True,
    unquoted_case="upper",
    explains=True,
    samples_queries=True,
    probe_functions=ProbeFunctions(FUNCTIONS / "snowflake.yml"),
    refusals=Refusals(FUNCTIONS / "snowflake.yml"),
    has_session_variables=True,
    has_stages=True,
    has_sequence_columns=True,
    pseudo_columns=words(
        "metadata$filename metadata$action metadata$isupdate metadata$row_id level"
    ),
    sql_hints=hints("snowflake"),
    # https://docs.snowflake.com/en/sql-reference/account-usage/query_history; it lags by up to 45
    # minutes.
    history=QueryHistory(dialect_sql("snowflake_history")),
    # https://docs.snowflake.com/en/user-guide/security-access-control-privileges
    failures=(
        KnownFailure(
            pattern=r"insufficient privileges to operate on (?P<place>(database|schema) '?[\w$.]+'?)",  # noqa: E501
            what="the role of the target cannot create the profile tables in {place}",
            hint=(
                "grant it what docs/warehouses.md lists: create schema on the database, or a "
                "schema of its own"
            ),
        ),
    ),
)
