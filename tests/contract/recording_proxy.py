"""A recording proxy between driver and emulator, for settings that the emulator ignores."""

import gzip
import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Recorder(ThreadingHTTPServer):
    """Passes everything on, and keeps the bodies of requests that are JSON."""

    daemon_threads = True
    upstream: int
    bodies: list[dict[str, Any]]


class _Handler(BaseHTTPRequestHandler):
    server: Recorder

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        plain = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
        if plain.startswith(b"{"):
            self.server.bodies.append(json.loads(plain))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        connection.request(self.command, self.path, body, dict(self.headers.items()))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = _pass_on  # noqa: N815 - the base class says so

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class says so
        """No log output."""


@contextmanager
def recorded(upstream: int) -> Iterator[Recorder]:
    """A proxy before a local server."""
    server = Recorder(("127.0.0.1", 0), _Handler)
    server.upstream, server.bodies = upstream, []
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
