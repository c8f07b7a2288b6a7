"""A local server with scripted answers that records its requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.contract.streams import events_of


@dataclass(frozen=True)
class Reply:
    """A server's reply to one request; it may stop halfway, come byte by byte, or be missing."""

    body: object
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    is_dropped: bool = False
    is_silent: bool = False
    is_dripping: bool = False
    # Between the events of a reply that is streamed.
    pause_seconds: float = 0.0

    def parts_of(self, body: bytes) -> list[bytes]:
        """The part of its body that is sent, at once or byte by byte."""
        if self.is_dripping:
            return [body[at : at + 1] for at in range(len(body))]
        return [body[: len(body) // 2] if self.is_dropped else body]


@dataclass
class ModelServer:
    """Its replies are given in order."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    # When set, each request waits until so many are there at once.
    meeting: threading.Barrier | None = None
    most_at_once: int = 0
    # It answers whole, though it was asked to stream.
    is_whole: bool = False

    def forget(self) -> None:
        """As it was in the beginning, at the same address."""
        vars(self).update(vars(ModelServer(url=self.url)))


@contextmanager
def serve_model() -> Iterator[ModelServer]:
    """Runs for the time of the block."""
    script = ModelServer()
    over = threading.Event()
    lock = threading.Lock()
    at_once = 0

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            nonlocal at_once
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                at_once += 1
                script.most_at_once = max(script.most_at_once, at_once)
                script.requests.append(asked)
                script.paths.append(self.path)
                script.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = script.replies.pop(0)
            if script.meeting:
                script.meeting.wait(timeout=20)
            with lock:
                at_once -= 1
            if reply.is_silent:
                over.wait(timeout=20)
                return
            self.give(reply, asked)

        def give(self, reply: Reply, asked: dict[str, Any]) -> None:
            events = (
                []
                if script.is_whole or reply.status != HTTPStatus.OK
                else events_of(self.path, asked, reply.body)
            )
            body = b"".join(events) or (
                reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            )
            self.send_response(reply.status)
            kind = "text/event-stream" if events else "application/json"
            for name, value in {"content-type": kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):
                for part in events if reply.pause_seconds else reply.parts_of(body):
                    self.wfile.write(part)
                    over.wait(reply.pause_seconds or (0.02 if reply.is_dripping else 0))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in http.server
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        thread = threading.Thread(target=http_server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        script.url = f"http://127.0.0.1:{http_server.server_port}"
        try:
            yield script
        finally:
            over.set()
            http_server.shutdown()
            thread.join()
