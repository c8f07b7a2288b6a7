"""HTTP listener that closes slow connections, so that slow clients cannot exhaust the server."""

import asyncio
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from linker.serve.security_middleware import Address

# For header and body together; requests are small.
REQUEST_SECONDS = 10.0
# Each uses a file descriptor.
_MAX_CONNECTIONS = 500
_SHUTDOWN_SECONDS = 5
# Longer than `Retry-After`: closing a connection during reuse looks like an error.
_KEPT_SECONDS = 30


class TimedProtocol(H11Protocol):
    """A connection; uvicorn itself only limits the time between requests."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_limit()
        super().connection_lost(exc)

    def _watch_request(self) -> None:
        """Limit the time until a request is complete."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._end_limit()
        elif self._limit is None:
            self._limit = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _end_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def run_server(app: ASGIApp, address: Address) -> None:
    """Serve until the process ends."""
    uvicorn.run(app, **server_options(address))


def server_options(address: Address) -> dict[str, Any]:
    """Options of uvicorn."""
    return {
        "host": address.host,
        "port": address.port,
        "http": TimedProtocol,
        "ws": "none",
        "log_level": "warning",
        "server_header": False,
        "limit_concurrency": _MAX_CONNECTIONS,
        "timeout_graceful_shutdown": _SHUTDOWN_SECONDS,
        "timeout_keep_alive": _KEPT_SECONDS,
    }
