"""
An OpenAI-compatible endpoint of recorded replies; it forwards unknown prompts upstream.

    python -m benchmarks.recorded_replies replies.jsonl --upstream http://127.0.0.1:8000/v1
"""

import argparse
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from benchmarks.recorded_replies.cassette import Cassette, digest_of

_CHARACTERS_PER_TOKEN = 3
_PATIENCE_SECONDS = 3_600.0


class NoReplyError(Exception):
    """Nothing recorded, and no upstream."""


class ReplayServer:
    """Replies from a cassette, else from upstream."""

    def __init__(self, cassette: Cassette, upstream: str = "") -> None:
        self._cassette, self._upstream = cassette, upstream
        self.played = self.recorded = 0
        # Prompts without a reply.
        self.unknown: list[str] = []

    def reply(self, request: dict[str, Any], headers: dict[str, str]) -> str:
        """The reply to a request."""
        known = self._cassette.reply(request)
        if known is not None:
            self.played += 1
            return known
        if not self._upstream:
            self.unknown.append(
                "\n".join(str(message.get("content")) for message in request["messages"])
            )
            raise NoReplyError(
                f"no reply is recorded for the prompt {digest_of(request)}, and nobody is there "
                "to ask"
            )
        url = f"{self._upstream.rstrip('/')}/chat/completions"
        # Here the reply is read at once.
        whole = {
            name: value
            for name, value in request.items()
            if name not in ("stream", "stream_options")
        }
        response = httpx.post(url, json=whole, headers=headers, timeout=_PATIENCE_SECONDS)
        response.raise_for_status()
        message = response.json()["choices"][0]["message"]
        calls = message.get("tool_calls")
        reply: str = calls[0]["function"]["arguments"] if calls else message["content"]
        self._cassette.record(request, reply)
        self.recorded += 1
        return reply

    def keep_used(self) -> None:
        """Drop unused replies."""
        self._cassette.keep_used()


def completion_of(request: dict[str, Any], reply: str) -> dict[str, Any]:
    """The reply in the form of a chat completion; tokens are estimated."""
    tools = request.get("tools")
    message: dict[str, Any] = {"role": "assistant", "content": None if tools else reply}
    if tools:
        call = {"name": tools[0]["function"]["name"], "arguments": reply}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    sent, written = (
        max(1, len(text) // _CHARACTERS_PER_TOKEN)
        for text in (json.dumps([request["messages"], tools]), reply)
    )
    return {
        "id": digest_of(request),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request["model"],
        "choices": [
            {"index": 0, "finish_reason": "tool_calls" if tools else "stop", "message": message}
        ],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": written,
            "total_tokens": sent + written,
        },
    }


def serve(replies: ReplayServer, port: int) -> ThreadingHTTPServer:
    """An endpoint on this machine; port 0 takes a free one."""

    class _Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization")
            try:
                body = completion_of(
                    request, replies.reply(request, {"Authorization": key} if key else {})
                )
                status = 200
            except (NoReplyError, httpx.HTTPError) as error:
                # Not one of those that clients try again.
                body, status = {"error": {"message": str(error)}}, 404
            raw = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing: the evaluation shows its progress."""

    return ThreadingHTTPServer(("127.0.0.1", port), _Handler)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recorded_replies", description=__doc__.split("\n", 2)[1]
    )
    parser.add_argument(
        "cassette", type=Path, help="file of recorded replies; it is made where it is not there"
    )
    parser.add_argument(
        "--upstream", default="", help="who answers what is not recorded, such as http://host/v1"
    )
    parser.add_argument("--port", type=int, default=8766)
    given = parser.parse_args()
    replies = ReplayServer(Cassette(given.cassette), given.upstream)
    server = serve(replies, given.port)
    sys.stderr.write(f"http://127.0.0.1:{server.server_port}/v1\n")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.stderr.write(f"{replies.played} replies played, {replies.recorded} recorded\n")


if __name__ == "__main__":
    main()
