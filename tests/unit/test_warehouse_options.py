"""Mapping of profiles.yml to driver options, and its errors."""

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from linker.config.target import Target
from linker.errors import ConfigError
from linker.warehouses import postgres, snowflake

OPENS = """
from pathlib import Path
from linker.errors import ConfigError
from linker.config.target import Target
from linker.warehouses import open_warehouse
try:
    open_warehouse(Target("p", "prod", {kind!r}, "shop", Path(), {{}}))
except ConfigError as error:
    print(error.what, error.hint, sep="\\n")
"""
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def target(kind: str, **options: object) -> Target:
    return Target("p", "prod", kind, "shop", Path(), {"type": kind, **options})


def pem(password: str | None = None) -> bytes:
    encryption = (
        serialization.BestAvailableEncryption(password.encode())
        if password
        else serialization.NoEncryption()
    )
    return KEY.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )


def der() -> bytes:
    no_encryption = serialization.NoEncryption()
    return KEY.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, no_encryption
    )


@pytest.mark.parametrize(
    ("kind", "driver"),
    [("snowflake", "snowflake.connector"), ("bigquery", "google.cloud.bigquery")],
)
def test_a_driver_that_is_missing_is_named_with_the_command_that_installs_it(
    kind: str, driver: str, checkout: Path, tmp_path: Path
) -> None:
    # Every Python that starts with this folder on its path lacks the driver.
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys; sys.modules[{driver!r}] = None", "utf-8"
    )
    command, environment = (
        [sys.executable, "-c", OPENS.format(kind=kind)],
        {**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        f"target `prod` needs the driver of {kind}, which is not installed",
        f"pip install --editable '.[{kind}]'",
    ]


def test_postgres_is_told_what_dbt_is_told() -> None:
    options = {
        "host": "db",
        "port": 5433,
        "user": "me",
        "pass": "s3cret",
        "dbname": "shop",
        "schema": "analytics",
    }
    tls = {"sslmode": "verify-full", "sslrootcert": "/ca.pem"}
    others = {"keepalives_idle": 0, "role": "reader", "threads": 4, "search_path": "sales, public"}
    told = postgres.connection_options(target("postgres", **options, **tls, **others))
    assert told == {
        "host": "db",
        "port": 5433,
        "user": "me",
        "password": "s3cret",
        "dbname": "shop",
        "sslmode": "verify-full",
        "sslrootcert": "/ca.pem",
        "connect_timeout": 10,
        "application_name": "dbt-linker",
        "options": "-c search_path=sales,\\ public",
    }


def test_snowflake_is_told_what_dbt_is_told() -> None:
    who = {
        "account": "my_org-my_account",
        "user": "me",
        "password": "s3cret",
        "role": "reader",
        "authenticator": "",
    }
    where = {
        "warehouse": "small",
        "database": "shop",
        "schema": "analytics",
        "threads": 4,
        "query_tag": "mine",
    }
    told = snowflake.connection_options(target("snowflake", **who, **where))
    assert told == {
        "account": "my-org-my-account",
        "user": "me",
        "password": "s3cret",
        "role": "reader",
        "warehouse": "small",
        "database": "shop",
        "schema": "analytics",
        "application": "dbt_linker",
        "autocommit": True,
        "paramstyle": "qmark",
        "network_timeout": 120,
        "login_timeout": 30,
        "session_parameters": {
            "STATEMENT_TIMEOUT_IN_SECONDS": 120,
            "QUERY_TAG": "mine",
            "ABORT_DETACHED_QUERY": True,
            "CLIENT_TELEMETRY_ENABLED": False,
        },
    }


def test_snowflake_signs_in_in_a_browser_once_and_by_token() -> None:
    browser = snowflake.connection_options(
        target("snowflake", account="a", authenticator="externalbrowser")
    )
    assert browser["authenticator"] == "externalbrowser"
    assert browser["client_store_temporary_credential"]
    jwt = snowflake.connection_options(
        target("snowflake", account="a", authenticator="jwt", token="t")
    )
    assert (jwt["authenticator"], jwt["token"]) == ("oauth", "t")


@pytest.mark.parametrize(
    "options",
    [
        {"private_key": pem().decode()},
        {"private_key": base64.b64encode(der()).decode()},
        {"private_key": pem("open").decode(), "private_key_passphrase": "open"},
    ],
)
def test_snowflake_takes_a_key_in_every_form_that_dbt_takes(options: dict[str, object]) -> None:
    assert (
        snowflake.connection_options(target("snowflake", account="a", **options))["private_key"]
        == der()
    )


def test_the_file_of_a_key_is_left_to_the_driver() -> None:
    options = {"private_key_path": "/key.p8", "private_key_passphrase": "open"}
    told = snowflake.connection_options(target("snowflake", account="a", **options))
    assert (told["private_key_file"], told["private_key_file_pwd"]) == ("/key.p8", "open")
    assert "private_key" not in told


@pytest.mark.parametrize(
    "options",
    [
        {"private_key": "s3cret"},
        {"private_key": "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----"},
        {"private_key": pem("open").decode(), "private_key_passphrase": "s3cret"},
        {"private_key": pem("open").decode()},
    ],
)
def test_a_key_that_is_none_is_named_without_being_shown(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="`private_key` of target `prod`") as caught:
        snowflake.connection_options(target("snowflake", account="a", **options))
    assert "s3cret" not in f"{caught.value.what} {caught.value.hint}"
    assert caught.value.__cause__ is None


def test_a_refresh_token_of_snowflake_is_refused_in_words() -> None:
    with pytest.raises(ConfigError, match="refresh token") as caught:
        snowflake.connection_options(
            target("snowflake", account="a", oauth_client_id="i", oauth_client_secret="s")
        )
    assert "private_key_path" in caught.value.hint
