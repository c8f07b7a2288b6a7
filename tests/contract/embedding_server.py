"""A local OpenAI-compatible embeddings server with scripted answers."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from linker.embedders import Embedder


@dataclass(frozen=True)
class Reply:
    """What the server says to one request."""

    body: object
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class EmbeddingServer:
    """Its replies come first, in order; what it was asked is kept."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def serve_embeddings(embedder: Embedder) -> Iterator[EmbeddingServer]:
    """Runs for the time of the block."""
    script = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            script.requests.append(request)
            script.keys.append(self.headers["authorization"])
            reply = (
                script.replies.pop(0)
                if script.replies
                else Reply(answer_of(embedder, request["input"]))
            )
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in http.server
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        thread = threading.Thread(target=http_server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        script.url = f"http://127.0.0.1:{http_server.server_port}/v1"
        yield script
        http_server.shutdown()
        thread.join()


def answer_of(embedder: Embedder, texts: list[str]) -> dict[str, object]:
    """The items are in another order than the texts; their index assigns them."""
    vectors = embedder.embed(texts)
    items = []
    for number, vector in enumerate(vectors):
        items.append(
            {
                "object": "embedding",
                "index": number,
                "embedding": [3 * float(value) for value in vector],
            }
        )
    return {"object": "list", "data": items[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
