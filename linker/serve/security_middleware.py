"""
Security middleware: checks host, origin, method, size and token of requests, adds security headers,
and reports problem details (RFC 9457).
"""

import hmac
from base64 import b64decode
from collections.abc import Iterable, MutableMapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from linker import errors
from linker.types import Record

_AWAY = (
    errors.WarehouseError,
    errors.ArtifactError,
    errors.StoreError,
    errors.BusyError,
    errors.EmbedderError,
)
# Statuses by error class, narrowest first; others are configuration errors.
_STATUS = (
    ((errors.NameLookupError, errors.RunLookupError), 404),
    (errors.GuardError, 422),
    (errors.ModelError, 502),
    (_AWAY, 503),
    (errors.BudgetExceeded, 503),
    (errors.ServerBusyError, 503),
)

# Only our own scripts and styles, no outgoing requests, no framing.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
_USUAL_PORT = 80
# Protects memory; the API rejects long input with a clear message.
_MAX_BYTES = 4_000_000
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


def status_of(error: errors.LinkerError) -> int:
    """HTTP status of an error."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def headers_of(error: errors.LinkerError) -> dict[str, str]:
    """`Retry-After` of a busy server."""
    if isinstance(error, errors.ServerBusyError):
        return {"retry-after": str(error.retry_seconds)}
    return {}


def problem(status: int, detail: str, hint: str) -> JSONResponse:
    """A problem response; `hint` is the fix."""
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "hint": hint,
    }
    return JSONResponse(content, status_code=status, media_type="application/problem+json")


async def disconnected(request: Request) -> None:
    """Return when a client whose request was read disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Address(Record, frozen=True):
    """Address of a server, its other names, and its token (empty for none)."""

    host: str
    port: int
    token: str = ""
    names: tuple[str, ...] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """Allowed Host headers."""
        own = (*_LOCAL, f"[{self.host}]" if ":" in self.host else self.host)
        # Names omit the default port.
        written = own if self.port == _USUAL_PORT else tuple(f"{name}:{self.port}" for name in own)
        return frozenset(map(str.casefold, (*written, *self.names)))


def _bounded(receive: Receive) -> Receive:
    """Limit a request body; beyond the limit the client counts as disconnected."""
    received = 0

    async def bounded() -> MutableMapping[str, Any]:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return message if received <= _MAX_BYTES else {"type": "http.disconnect"}

    return bounded


class SecurityMiddleware:
    """Checks requests, and adds security headers to all responses."""

    def __init__(
        self,
        app: ASGIApp,
        address: Address,
        costly: Iterable[str] = (),
        methods: Sequence[str] = ("GET", "HEAD"),
    ) -> None:
        self._app = app
        self._address = address
        self._costly = frozenset(costly)
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((k.encode(), v.encode()) for k, v in _HEADERS.items()),
                ]
            await send(message)

        refusal = self._refusal(Request(scope))
        await (refusal or self._app)(scope, _bounded(receive), guarded)

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        host = headers.get("host", "").casefold()
        if host not in self._address.hosts:
            # DNS rebinding: a foreign name may point to this machine.
            return problem(
                421, "this server has another name", "call it by its own, or start it with --name"
            )
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > _MAX_BYTES:
            return problem(413, f"a request may have {_MAX_BYTES:,} bytes", "ask for less at once")
        if request.method not in self._methods:
            refused = problem(
                405,
                f"only {' and '.join(self._methods)} are answered: nothing here writes",
                f"use {self._methods[0]}",
            )
            refused.headers["allow"] = ", ".join(self._methods)
            return refused
        origin = headers.get("origin")
        if (origin and origin.partition("://")[2].casefold() != host) or self._is_foreign(request):
            return problem(403, "a page from elsewhere asked", "open it in a window of its own")
        if self._address.token and not self._knows_token(headers.get("authorization", "")):
            refused = problem(
                401, "the token is missing or wrong", "send it as bearer token, or as password"
            )
            refused.headers["www-authenticate"] = 'Basic realm="linker", charset="UTF-8"'
            return refused
        return None

    def _is_foreign(self, request: Request) -> bool:
        """
        Whether another site sends the request: it may link to pages, but not embed them or start
        work.
        """
        if request.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            return False
        is_link = request.headers.get("sec-fetch-mode") == "navigate" and (
            request.headers.get("sec-fetch-dest") == "document"
        )
        return not is_link or request.url.path in self._costly

    def _knows_token(self, given: str) -> bool:
        """Whether the header has the token: as bearer, or as basic password from a browser."""
        kind, _, value = given.partition(" ")
        if kind.casefold() == "basic":
            try:
                value = b64decode(value).decode().partition(":")[2]
            except ValueError:
                return False
        elif kind.casefold() != "bearer":
            return False
        return hmac.compare_digest(value.encode(), self._address.token.encode())
