"""BigQuery beyond the common contract, as far as the emulator allows."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from msgspec.structs import replace

from linker.errors import ConfigError, WarehouseError
from linker.warehouses import Warehouse, open_warehouse
from linker.warehouses.base import Bounds
from tests.contract.recording_proxy import recorded
from tests.contract.warehouses import Running, running


class TokenServer(HTTPServer):
    """Gives a token to every client and records its request."""

    assertions: list[str]

    def server_activate(self) -> None:
        """No client has connected."""
        self.assertions = []
        super().server_activate()


class SignIn(BaseHTTPRequestHandler):
    """https://developers.google.com/identity/protocols/oauth2/service-account#httprest"""

    server: TokenServer

    def do_POST(self) -> None:
        """Answer with a token that lasts an hour."""
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.assertions.append(form["assertion"][0])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"access_token": "t", "expires_in": 3600, "token_type": "Bearer"}')

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class says so
        """No log output."""


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.fixture(scope="module")
def place(
    tmp_path_factory: pytest.TempPathFactory,
    artifact_statements: Callable[[str, str], Iterator[str]],
) -> Iterator[Running]:
    with running("bigquery", tmp_path_factory.mktemp("bigquery"), artifact_statements) as started:
        yield started


@pytest.fixture(scope="module")
def warehouse(place: Running) -> Iterator[Warehouse]:
    opened = open_warehouse(place.target)
    yield opened
    opened.close()


def with_options(place: Running, **options: object) -> Running:
    return replace(place, target=replace(place.target, options={**place.target.options, **options}))


@pytest.mark.parametrize(
    "value",
    [
        True,
        7,
        2.5,
        "größe",
        date(2024, 2, 29),
        datetime(2024, 2, 29, 12, 30),
        datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
        Decimal("1.5"),
    ],
)
def test_a_parameter_comes_back_as_it_was_given(warehouse: Warehouse, value: object) -> None:
    [[found]] = warehouse.query("select ?", [value])
    assert found == value
    assert type(found) is type(value)


def test_a_list_is_a_parameter_too(warehouse: Warehouse) -> None:
    assert warehouse.query(
        "select id from shop.orders where id in unnest(?) order by id", [[3, 1]]
    ) == [(1,), (3,)]


def test_nested_values_come_back_as_python_holds_them(warehouse: Warehouse) -> None:
    assert warehouse.query("select struct(1 as a, [1, 2] as b), [struct('x' as c)]") == [
        ({"a": 1, "b": [1, 2]}, [{"c": "x"}])
    ]


def test_relations_are_written_with_their_project(warehouse: Warehouse) -> None:
    assert warehouse.relations("shop") == {"orders": "`warehouse-test`.`shop`.`orders`"}


def test_a_ceiling_of_bytes_is_passed_on(place: Running) -> None:
    opened = open_warehouse(
        with_options(place, maximum_bytes_billed=10_000_000, location="EU").target
    )
    assert opened.query("select count(*) from shop.orders") == [(3,)]
    assert isinstance(opened.bytes_read, int)
    opened.close()


@pytest.mark.parametrize(
    ("of_the_profile", "of_the_statement", "told"),
    [
        (None, None, None),
        (500, None, "500"),
        (None, 400, "400"),
        (500, 400, "400"),
        (300, 400, "300"),
    ],
)
def test_the_lower_cap_of_bytes_and_the_time_limit_go_with_the_dry_run_and_with_the_job(
    place: Running, of_the_profile: int | None, of_the_statement: int | None, told: str | None
) -> None:
    upstream = int(str(place.target.options["api_endpoint"]).rpartition(":")[2])
    with recorded(upstream) as server:
        endpoint = f"http://127.0.0.1:{server.server_port}"
        opened = open_warehouse(
            with_options(place, api_endpoint=endpoint, maximum_bytes_billed=of_the_profile).target
        )
        bounds = Bounds(seconds=7, bytes_billed=of_the_statement)
        assert opened.query("select count(*) from shop.orders", (), bounds) == [(3,)]
        opened.close()
        asked = [body["configuration"] for body in server.bodies if "configuration" in body]
    assert [bool(one.get("dryRun")) for one in asked] == [True, False]
    assert [one["query"].get("maximumBytesBilled") for one in asked] == [told, told]
    assert [one["jobTimeoutMs"] for one in asked] == ["7000", "7000"]


def test_a_server_that_does_not_answer_is_one_line(place: Running, closed_port: int) -> None:
    endpoint = f"http://127.0.0.1:{closed_port}"
    opened = open_warehouse(
        with_options(place, api_endpoint=endpoint, job_retry_deadline_seconds=0.1).target
    )
    for ask in (lambda: opened.query("select 1"), lambda: opened.relations("shop")):
        with pytest.raises(WarehouseError, match="BigQuery") as caught:
            ask()
        assert "\n" not in caught.value.what
    opened.close()


@pytest.fixture
def tokens() -> Iterator[TokenServer]:
    """Where service accounts sign in, on this machine."""
    server = TokenServer(("127.0.0.1", 0), SignIn)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_service_accounts_sign_in_by_their_key(place: Running, tokens: TokenServer) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    account = {
        "type": "service_account",
        "project_id": "warehouse-test",
        "client_email": "linker@warehouse-test.iam.gserviceaccount.com",
        "token_uri": f"http://127.0.0.1:{tokens.server_port}/token",
        "private_key": pem,
    }
    keyfile = place.target.profiles_dir / "key.json"
    keyfile.write_text(json.dumps(account), "utf-8")
    ways = (
        {"method": "service-account", "keyfile": str(keyfile)},
        {
            "method": "service-account-json",
            "keyfile_json": account | {"private_key": pem.replace("\n", "\\n")},
        },
        {
            "method": "service-account-json",
            "keyfile_json": base64.b64encode(json.dumps(account).encode()).decode(),
        },
    )
    for options in ways:
        opened = open_warehouse(with_options(place, **options).target)
        assert opened.query("select count(*) from shop.orders") == [(3,)]
        opened.close()
    assert len(tokens.assertions) == len(ways)
    for assertion in tokens.assertions:
        signed, _, signature = assertion.rpartition(".")
        key.public_key().verify(
            _decoded(signature), signed.encode(), padding.PKCS1v15(), hashes.SHA256()
        )
        assert json.loads(_decoded(signed.partition(".")[2]))["iss"] == account["client_email"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "service-account", "keyfile": "/no/such/key.json"},
        {"method": "service-account-json", "keyfile_json": {"private_key": "s3cret"}},
        {"method": "service-account-json"},
    ],
)
def test_a_key_that_is_none_is_named_without_being_shown(
    place: Running, options: dict[str, object]
) -> None:
    with pytest.raises(WarehouseError, match="target `bigquery` cannot be opened") as caught:
        open_warehouse(with_options(place, **options).target)
    assert "s3cret" not in f"{caught.value.what} {caught.value.hint}"
    assert "\n" not in caught.value.what


def test_without_a_login_of_google_the_way_to_log_in_is_named(
    place: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/login.json")
    with pytest.raises(WarehouseError, match="cannot be opened") as caught:
        open_warehouse(with_options(place, method="oauth").target)
    assert caught.value.hint == "gcloud auth application-default login"


def test_a_way_to_sign_in_that_is_not_known_lists_the_others(place: Running) -> None:
    with pytest.raises(ConfigError, match="external-oauth-wif") as caught:
        open_warehouse(with_options(place, method="external-oauth-wif").target)
    assert "oauth-secrets" in caught.value.hint
