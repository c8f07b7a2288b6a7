"""
Providers of pydantic-ai, and the HTTP client that their requests go through.

Tested providers use our HTTP client; others bring their own. A provider's key is sent to its own
host only, over https. Any other server gets LINKER_MODEL_API_KEY or a placeholder, since clients
insist on a key. Client libraries read environment variables of their own, so every request is
checked against the intended server. Our client follows no redirects, which would forward prompt and
keys, bounds the size of replies, and refuses compressed ones, which can expand without limit.
"""

import json
from collections.abc import AsyncIterator
from http import HTTPStatus
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2

from linker.config.installed import install_command
from linker.config.servers import PROVIDERS, is_here, model_key, model_url, provider_of
from linker.config.values import WrongError
from linker.errors import ModelError
from linker.models.pydantic_ai.failures import (
    SHORTEST_KEY,
    RequestFailedError,
    not_set_up,
    without_secrets,
)

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model


# About thirty times the longest answer with reasoning.
MAX_BYTES = 4 * 1024 * 1024


def open_client(name: str, base_url: str | None) -> httpx2.AsyncClient:
    """
    A client with pydantic-ai's timeouts and proxies; the caller closes it. Proxies are bypassed for
    this machine, since they would read plain text.
    """
    try:
        from pydantic_ai.models import create_async_httpx2_client
    except ImportError as error:
        raise _not_installed(name, error) from None

    directly = httpx2.AsyncHTTPTransport() if is_here(name, base_url) else None
    client = create_async_httpx2_client(transport=directly)
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
    """A size-limited reply; a whole reply to a streaming request becomes a single event."""

    def __init__(self, stream: httpx2.AsyncByteStream, *, is_whole: bool) -> None:
        self._stream, self._is_whole = stream, is_whole

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left, parts = MAX_BYTES, list[bytes]()
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise _too_large(f"its reply is larger than {MAX_BYTES:,} bytes")
            if self._is_whole:
                parts.append(part)
            else:
                yield part
        if self._is_whole:
            yield _as_events(b"".join(parts))


def _as_events(completion: bytes) -> bytes:
    """A chat completion as an event stream; other content unchanged."""
    try:
        event = json.loads(completion)
        for choice in event["choices"]:
            choice["delta"] = choice.pop("message")
            for index, call in enumerate(choice["delta"].get("tool_calls") or ()):
                call["index"] = index
    except (ValueError, LookupError, TypeError, AttributeError):
        return completion
    return b"data: " + json.dumps(event).encode() + b"\n\ndata: [DONE]\n\n"


def _was_to_stream(request: httpx2.Request) -> bool:
    is_chat = request.url.path.endswith("/chat/completions")
    return is_chat and b'"stream":true' in request.content.replace(b" ", b"")


def _too_large(what: str) -> RequestFailedError:
    return RequestFailedError("too_large", what, may_be_paid=True)


_NO_KEY = "none"
# Extra with a provider's package; `llm` includes all.
_EXTRAS = {"openai": "openai", "ollama": "openai", "anthropic": "anthropic", "google": "google"}


def open_provider(name: str, base_url: str | None, client: "AsyncClient") -> "Model":
    """The model by name; ModelError says what is missing."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    kind, _, model = name.partition(":")
    if not kind or not model:
        raise not_set_up(f"cannot use model `{name}`: it is not of the form provider:name")
    provider = provider_of(name)
    if base_url and kind not in PROVIDERS:
        choices = ", ".join(f"`{item}:…`" for item in PROVIDERS)
        raise not_set_up(f"model `{name}` takes no `model_base_url`", f"it works with {choices}")
    try:
        if provider not in PROVIDERS:
            return infer_model(name)
        # Compatible servers speak chat completions, unlike OpenAI's default in pydantic-ai.
        kind = "openai-chat" if kind == "openai" else kind
        return infer_model(f"{kind}:{model}", lambda _kind: _opened(provider, base_url, client))
    except WrongError as wrong:
        raise not_set_up(
            f"`model_base_url` is not valid: {wrong}", "set it to the address of a server"
        ) from None
    except (UserError, ValueError) as error:
        raise not_set_up(f"cannot use model `{name}`: {without_secrets(error)}") from None
    except ImportError as error:
        raise _not_installed(name, error) from None


def _not_installed(name: str, error: ImportError) -> ModelError:
    what = f"model `{name}` needs a package that is not installed"
    provider = provider_of(name)
    # For other providers pydantic-ai names the package itself.
    if provider in _EXTRAS or (error.name or "").partition(".")[0] == "pydantic_ai":
        return not_set_up(what, install_command(_EXTRAS.get(provider, "llm")))
    return not_set_up(f"{what}: {without_secrets(error)}", "pip install what it names")


def _opened(name: str, base_url: str | None, client: "AsyncClient") -> Any:  # noqa: ANN401 - a Provider of a type that the name decides
    from pydantic_ai.providers import infer_provider_class

    url = model_url(name, base_url)
    key = model_key(name, url, is_setting=bool(base_url))
    if key is None and PROVIDERS[name].is_at(url):
        variables = " or ".join(PROVIDERS[name].key_variables)
        raise ValueError(f"set {variables}, or `model_base_url` to a server of your own")
    _hold_to(url, key, client)
    provider: Any = infer_provider_class(name)
    if name == "ollama":
        url = _address_of_ollama(url)
    return provider(base_url=url, api_key=key or _NO_KEY, http_client=client)


def _address_of_ollama(url: str) -> str:
    """The OpenAI-compatible path below a server's address."""
    return url if urlsplit(url).path.strip("/") else url.rstrip("/") + "/v1"


def _hold_to(url: str, key: str | None, client: "AsyncClient") -> None:
    """Restrict a client to this server and one key."""
    meant = httpx2.URL(url)
    others = set[str]()
    for provider in PROVIDERS.values():
        if provider.key and provider.key != key and len(provider.key) >= SHORTEST_KEY:
            others.add(provider.key)

    async def check(request: httpx2.Request) -> None:
        to = request.url
        if (to.scheme, to.host, to.port) != (meant.scheme, meant.host, meant.port):
            raise RequestFailedError(
                "rejected", f"it would go to {to.host}, which is not configured"
            )
        sent = [str(to), *request.headers.values()]
        if any(other in text for other, text in product(others, sent)):
            raise RequestFailedError("rejected", "it would carry the key of a provider")

    client.event_hooks["request"].append(check)
