"""
Connections to the server of a model: leaves a client that follows no redirect and reads no reply
without an end.

A redirect would carry the prompt, and some keys, to an address that nobody configured. What comes
compressed is refused, as a few bytes of it may be any number when they are read.
"""

import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from linker.models.pydantic_ai.failures import RefusedReplyError, RequestFailure

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
        raise RefusedReplyError(RequestFailure("rejected", what))
    if response.headers.get("content-encoding", "identity") != "identity":
        raise RefusedReplyError(_refused("its reply is compressed, which was not asked for"))
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - the client is an asynchronous one
    response.stream = _Bounded(response.stream)
    if response.headers.get("content-type", "").startswith("application/json") and _was_to_stream(
        response.request
    ):
        response.stream = _AsEvents(response.stream)


class _Wrapped(httpx2.AsyncByteStream):
    """A reply that is read from another stream."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Bounded(_Wrapped):
    """The bytes of a reply, as far as they are read."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise RefusedReplyError(_refused(f"its reply is larger than {MOST_BYTES:,} bytes"))
            yield part


class _AsEvents(_Wrapped):
    """
    A chat completion that comes whole, though it was to be streamed: the one event of a stream.
    """

    async def __aiter__(self) -> AsyncIterator[bytes]:
        whole = b"".join([part async for part in self._stream])
        try:
            event = json.loads(whole)
            for choice in event["choices"]:
                choice["delta"] = choice.pop("message")
                for place, call in enumerate(choice["delta"].get("tool_calls") or ()):
                    call["index"] = place
        except (ValueError, LookupError, TypeError, AttributeError):
            yield whole
        else:
            yield b"data: " + json.dumps(event).encode() + b"\n\ndata: [DONE]\n\n"


def _was_to_stream(request: httpx2.Request) -> bool:
    return request.url.path.endswith(
        "/chat/completions"
    ) and b'"stream":true' in request.content.replace(b" ", b"")


def _refused(what: str) -> RequestFailure:
    return RequestFailure("too_large", what, may_be_paid=True)
