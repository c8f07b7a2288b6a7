"""
Connections to the server of a model: a client that follows no redirect and reads no reply without
an end.

A redirect would carry the prompt, and some keys, to an address that nobody configured. What comes
compressed is refused, as a few bytes of it may be any number when they are read.
"""

import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from linker.models.pydantic_ai.failures import RequestFailedError

# Some thirty times what the longest answer with its reasoning takes.
MOST_BYTES = 4 * 1024 * 1024


def open_client() -> httpx2.AsyncClient:
    """A client with the time-outs and proxies of pydantic-ai's own; whoever opens it closes it."""
    from pydantic_ai.models import create_async_httpx2_client

    client = create_async_httpx2_client()
    client.headers["accept-encoding"] = "identity"
    client.event_hooks["response"].append(_within_bounds)
    return client


async def _within_bounds(response: httpx2.Response) -> None:
    if HTTPStatus.MULTIPLE_CHOICES <= response.status_code < HTTPStatus.BAD_REQUEST:
        there = urlsplit(response.headers.get("location", "")).hostname
        to = f" to {there}" if there else ""
        what = f"the server redirects{to} (HTTP {response.status_code}), which is not followed"
        raise RequestFailedError("rejected", what)
    if response.headers.get("content-encoding", "identity") != "identity":
        raise _too_large("its reply is compressed, which was not asked for")
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - the client is an asynchronous one
    is_json = response.headers.get("content-type", "").startswith("application/json")
    is_whole = is_json and _was_to_stream(response.request)
    response.stream = _BoundedReply(response.stream, is_whole=is_whole)


class _BoundedReply(httpx2.AsyncByteStream):
    """
    The bytes of a reply, as far as they are read; one that is whole, though it was to be streamed,
    comes as the one event of a stream.
    """

    def __init__(self, stream: httpx2.AsyncByteStream, *, is_whole: bool) -> None:
        self._stream, self._is_whole = stream, is_whole

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left, parts = MOST_BYTES, list[bytes]()
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise _too_large(f"its reply is larger than {MOST_BYTES:,} bytes")
            if self._is_whole:
                parts.append(part)
            else:
                yield part
        if self._is_whole:
            yield _as_events(b"".join(parts))


def _as_events(completion: bytes) -> bytes:
    """A chat completion as a stream of one event; what is none, as it is."""
    try:
        event = json.loads(completion)
        for choice in event["choices"]:
            choice["delta"] = choice.pop("message")
            for place, call in enumerate(choice["delta"].get("tool_calls") or ()):
                call["index"] = place
    except (ValueError, LookupError, TypeError, AttributeError):
        return completion
    return b"data: " + json.dumps(event).encode() + b"\n\ndata: [DONE]\n\n"


def _was_to_stream(request: httpx2.Request) -> bool:
    is_chat = request.url.path.endswith("/chat/completions")
    return is_chat and b'"stream":true' in request.content.replace(b" ", b"")


def _too_large(what: str) -> RequestFailedError:
    return RequestFailedError("too_large", what, may_be_paid=True)
