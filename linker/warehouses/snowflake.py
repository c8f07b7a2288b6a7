"""
Snowflake: a session with a time limit, with the options that dbt-snowflake takes.

Snowflake has no read-only session: beside the guard, give the role of the target no more than `select`.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

import snowflake.connector
from cryptography.hazmat.primitives import serialization

from linker.errors import ConfigError, WarehouseError
from linker.targets import Target
from linker.warehouses.base import (
    SIGNATURE,
    TIMEOUT_SECONDS,
    USUAL,
    Bounds,
    Row,
    first_line,
    in_double_quotes,
    refused_statement,
)
from linker.warehouses.read_only import only_reading

# https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api#functions
_PASSED_ON = (
    *("user", "password", "role", "warehouse", "database", "schema", "authenticator", "token"),
    *("host", "port", "protocol", "proxy_host", "proxy_port", "insecure_mode", "client_session_keep_alive"),
)
_PATIENCE_SECONDS = 10
# "Object does not exist or not authorized" (SQLSTATE 42S02), and "invalid identifier" (SQLSTATE 42000).
_MISSING = (2003, 904)
_RELATIONS = """
    select table_schema, table_name
    from information_schema.tables
    where lower(table_schema) = lower(?)
"""


class SnowflakeWarehouse:
    """A session in one database."""

    dialect = "snowflake"
    bytes_read = None

    def __init__(self, connection: "snowflake.connector.SnowflakeConnection") -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[object] = (), bounds: Bounds = USUAL) -> list[Row]:
        """Run one statement that reads."""
        # Behind the statement: Snowflake drops a comment before it. The tag may be the target's own.
        text = f"{only_reading(sql, self.dialect, len(parameters))} {SIGNATURE}"
        try:
            with self._connection.cursor() as cursor:
                # Snowflake ends what takes longer; should it not, the connector gives up a little later.
                cursor.execute(
                    text,
                    tuple(parameters) or None,
                    timeout=bounds.seconds + _PATIENCE_SECONDS,
                    num_statements=1,
                    _statement_params={"STATEMENT_TIMEOUT_IN_SECONDS": bounds.seconds},
                )
                rows = cursor.fetchall() if bounds.rows is None else cursor.fetchmany(bounds.rows)
                return [tuple(row) for row in rows]
        except (snowflake.connector.Error, ValueError) as error:
            is_missing = getattr(error, "errno", None) in _MISSING
            raise refused_statement("Snowflake", first_line(error), is_missing=is_missing) from error

    def relations(self, schema: str) -> Mapping[str, str]:
        """The tables and views of a schema; dbt writes most names without quotes, so they are in upper case."""
        return in_double_quotes(((owner, name) for owner, name in self.query(_RELATIONS, (schema,))), schema)

    def close(self) -> None:
        """End the session."""
        self._connection.close()


def open_target(target: Target) -> SnowflakeWarehouse:
    """Connect to the account of the target."""
    try:
        return SnowflakeWarehouse(snowflake.connector.connect(**connection_options(target)))
    except (snowflake.connector.Error, OSError) as error:
        raise WarehouseError(
            f"Snowflake of target `{target.name}` cannot be opened: {first_line(error)}",
            hint=f"check target `{target.name}` in profiles.yml; `dbt debug` connects with it too",
        ) from error


def connection_options(target: Target) -> dict[str, Any]:
    """What the connector is told; an empty option is one that is not set."""
    options = {key: value for key, value in target.options.items() if value not in (None, "")}
    if options.get("oauth_client_id") or options.get("oauth_client_secret"):
        raise ConfigError(
            f"target `{target.name}` signs in with a refresh token, which linker does not exchange",
            hint="use key pair authentication (`private_key_path`), or `authenticator: oauth` with an access token",
        )
    told = {key: options[key] for key in _PASSED_ON if key in options}
    # As dbt does: underscores are part of an account's name, but not of its address.
    told["account"] = re.sub("_", "-", str(options.get("account", "")))
    if told.get("authenticator") == "jwt":
        told["authenticator"] = "oauth"
    if "authenticator" in told:
        told |= {"client_store_temporary_credential": True, "client_request_mfa_token": True}
    return told | _private_key(target, options) | _session(options)


def _session(options: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {"STATEMENT_TIMEOUT_IN_SECONDS": TIMEOUT_SECONDS, "QUERY_TAG": options.get("query_tag", "dbt-linker")}
    return {
        "application": "dbt_linker",
        "autocommit": True,
        "paramstyle": "qmark",
        "network_timeout": options.get("network_timeout", TIMEOUT_SECONDS),
        "login_timeout": options.get("connect_timeout", 30),
        "session_parameters": {**parameters, "CLIENT_TELEMETRY_ENABLED": False},
    }


def _private_key(target: Target, options: Mapping[str, Any]) -> dict[str, Any]:
    """The key of a key pair: in a file, or itself as PEM or as the Base64 of DER."""
    passphrase = options.get("private_key_passphrase")
    if path := options.get("private_key_path"):
        return {"private_key_file": str(path), **({"private_key_file_pwd": str(passphrase)} if passphrase else {})}
    if not (given := options.get("private_key")):
        return {}
    password = str(passphrase).encode() if passphrase else None
    try:
        if str(given).startswith("-"):
            key = serialization.load_pem_private_key(str(given).encode(), password)
        else:
            key = serialization.load_der_private_key(base64.b64decode(str(given)), password)
    except (ValueError, TypeError):
        # The reason may quote the key.
        raise ConfigError(
            f"`private_key` of target `{target.name}` is not a private key, or its passphrase is wrong",
            hint="give it as PEM, or as the Base64 of DER; or name its file with `private_key_path`",
        ) from None
    pkcs8 = serialization.PrivateFormat.PKCS8
    return {"private_key": key.private_bytes(serialization.Encoding.DER, pkcs8, serialization.NoEncryption())}
