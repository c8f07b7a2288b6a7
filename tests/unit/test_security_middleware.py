"""Security middleware of `linker serve`."""

import asyncio
from base64 import b64encode

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from linker.serve.security_middleware import Address, SecurityMiddleware


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse(f"the page {Request(scope).url.path}")(scope, receive, send)


def ask(
    address: Address, path: str = "/", method: str = "GET", **headers: str
) -> Response | httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    transport = httpx.ASGITransport(SecurityMiddleware(page, address, costly=["/ask.html"]))

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8766"
        ) as client:
            return await client.request(method, path, headers=named)

    return asyncio.run(asked())


HERE = Address("127.0.0.1", 8766)
LINK = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:8766"}, 200),
        ({"host": "[::1]:8766"}, 200),
        ({"host": "evil.example:8766"}, 421),
        ({"host": "127.0.0.1:80"}, 421),
        ({"origin": "http://127.0.0.1:8766"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        (LINK, 200),
        (LINK | {"sec_fetch_dest": "iframe"}, 403),
        (
            {
                "sec_fetch_site": "cross-site",
                "sec_fetch_mode": "no-cors",
                "sec_fetch_dest": "image",
            },
            403,
        ),
        ({"sec_fetch_site": "same-origin", "sec_fetch_mode": "cors"}, 200),
    ],
)
def test_only_who_calls_it_by_its_name_and_links_from_elsewhere_alone(
    headers: dict[str, str], status: int
) -> None:
    assert ask(HERE, **headers).status_code == status


def test_a_link_from_elsewhere_does_not_have_a_model_think() -> None:
    assert ask(HERE, "/ask.html?question=x", **LINK).status_code == 403
    assert ask(HERE, "/ask.html?question=x", sec_fetch_site="same-origin").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_is_answered_that_could_write(method: str) -> None:
    answered = ask(HERE, method=method)
    assert answered.status_code == 405
    assert answered.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("", 401),
        ("Bearer secret", 200),
        ("Bearer secret2", 401),
        ("secret", 401),
        (f"Basic {b64encode(b'anyone:secret').decode()}", 200),
        (f"Basic {b64encode(b'secret:').decode()}", 401),
        ("Basic %%%", 401),
    ],
)
def test_with_a_token_nothing_is_answered_without_it(given: str, status: int) -> None:
    answered = ask(Address("0.0.0.0", 8766, "secret"), authorization=given)
    assert answered.status_code == status
    assert ("www-authenticate" in answered.headers) == (status == 401)


def test_another_name_is_answered_where_it_was_given() -> None:
    behind_a_proxy = Address("0.0.0.0", 8766, "", ("Linker.example.com",))
    assert ask(behind_a_proxy, host="linker.example.com").status_code == 200
    assert (
        ask(
            behind_a_proxy, host="linker.example.com", origin="https://linker.example.com"
        ).status_code
        == 200
    )
    assert ask(behind_a_proxy, host="other.example.com").status_code == 421


def test_the_usual_port_is_not_written_behind_a_name() -> None:
    assert ask(Address("127.0.0.1", 80), host="localhost").status_code == 200
    assert ask(Address("127.0.0.1", 80), host="evil.example").status_code == 421


def test_every_response_forbids_inline_code_sniffing_and_referrers() -> None:
    for answered in (ask(HERE), ask(HERE, host="evil.example")):
        policy = dict(
            rule.split(" ", 1) for rule in answered.headers["content-security-policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["referrer-policy"] == "no-referrer"
