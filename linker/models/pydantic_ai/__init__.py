"""
Language models through pydantic-ai, built for `provider:name` and an optional base URL.

Tested providers use our HTTP client; others bring their own. A provider's key is sent to its own
host only, over https. Any other server gets LINKER_MODEL_API_KEY or a placeholder, since clients
insist on a key. Client libraries read environment variables of their own, so every request is
checked against the intended server. Our client follows no redirects, which would forward prompt and
keys, bounds the size of replies, and refuses compressed ones, which can expand without limit.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import CancelledError
from contextlib import ExitStack
from http import HTTPStatus
from itertools import product
from threading import Lock
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal

from linker.budget import MIN_COMPLETION_TOKENS, UNLIMITED, USUAL_COMPLETION_TOKENS, CallLimit
from linker.cancellation import current_cancellation
from linker.config.installed import install_command
from linker.config.servers import PROVIDERS, is_here, model_key, model_url, provider_of
from linker.config.values import WrongError
from linker.errors import ModelError, ModelErrorCode
from linker.models import LISTENER, AnswerT, Completion, Prompt, ReplyLength
from linker.models.pydantic_ai.failures import (
    SHORTEST_KEY,
    RequestFailedError,
    failure_of,
    no_answer,
    not_set_up,
    without_secrets,
)
from linker.models.pydantic_ai.messages import (
    Call,
    Response,
    UnusableError,
    heard_in,
    read_answer,
    response_of,
)
from linker.types import Record, Usage

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


NO_EFFORT = "none"
# Anthropic rejects smaller budgets, and other temperatures with reasoning.
_MIN_BUDGET = 1_024
_MAX_TEMPERATURE_OF_ANTHROPIC = 1.0

_REQUEST_SECONDS = 120.0

_FIRST_PAUSE_SECONDS = 1.0
_RETRIES = 2
# Beyond pydantic-ai's errors; its adapters raise the last four on unexpected bodies.
_FAILED = (RequestFailedError, TimeoutError, AttributeError, LookupError, TypeError, ValueError)


class ModelOptions(Record, frozen=True):
    """Reasoning effort and temperature; None keeps the model's default."""

    effort: str | None = None
    temperature: float | None = None

    def check(self, name: str, model: "Model", base_url: str | None) -> None:
        """Raise ModelError for an unsupported option."""
        profile, effort = model.profile, self.effort
        # Models of self-hosted servers are unknown to pydantic-ai.
        is_known = not (model.system == "ollama" or (base_url and model.system == "openai"))
        if effort and is_known and not profile.get("supports_thinking"):
            raise not_set_up(f"model `{name}` takes no `model_effort`", "leave it out")
        if effort == NO_EFFORT and profile.get("thinking_always_enabled"):
            raise not_set_up(
                f"model `{name}` always reasons", "set `model_effort` to `minimal` or `low`"
            )
        if self.temperature is None:
            return
        if not self._may_have_temperature(model):
            raise not_set_up(
                f"model `{name}` takes no `model_temperature` where it reasons", "leave it out"
            )
        if model.system == "anthropic" and self.temperature > _MAX_TEMPERATURE_OF_ANTHROPIC:
            raise not_set_up(f"model `{name}` takes a `model_temperature` from 0 to 1", "lower it")

    def settings(
        self, model: "Model", usual_temperature: float, most_tokens: int | None
    ) -> dict[str, Any]:
        """Request settings for pydantic-ai; None sets no limit on the reply."""
        settings: dict[str, Any] = {}
        if self._may_have_temperature(model):
            settings["temperature"] = (
                usual_temperature if self.temperature is None else self.temperature
            )
        if most_tokens or model.system == "anthropic":
            # Anthropic requires a limit.
            settings["max_tokens"] = most_tokens or USUAL_COMPLETION_TOKENS
        return settings | self._effort_settings(model, most_tokens)

    def _may_have_temperature(self, model: "Model") -> bool:
        """False for reasoning models, some of which reject a temperature."""
        profile = model.profile
        if profile.get("openai_supports_reasoning"):
            return self.effort == NO_EFFORT and bool(
                profile.get("openai_supports_reasoning_effort_none")
            )
        is_reasoning = model.system == "anthropic" and self.effort not in (None, NO_EFFORT)
        return not (is_reasoning or profile.get("anthropic_disallows_sampling_settings"))

    def _effort_settings(self, model: "Model", most_tokens: int | None) -> dict[str, Any]:
        effort, profile = self.effort, model.profile
        if not effort:
            return {}
        if not profile.get("supports_thinking"):
            # For self-hosted servers pydantic-ai would send nothing.
            return {"openai_reasoning_effort": effort}
        has_budget = model.system == "anthropic" and not profile.get(
            "anthropic_supports_adaptive_thinking"
        )
        if has_budget and effort != NO_EFFORT:
            return _budget_settings(effort, most_tokens)
        return {"thinking": False if effort == NO_EFFORT else effort}


def _budget_settings(effort: str, most_tokens: int | None) -> dict[str, Any]:
    """The reasoning budget, which must leave room for the reply; empty if it cannot."""
    from pydantic_ai.profiles.anthropic import ANTHROPIC_THINKING_BUDGET_MAP as BUDGETS

    budget = next(tokens for level, tokens in BUDGETS.items() if level == effort)
    if most_tokens is None:
        return {**_reasoning(budget), "max_tokens": budget + USUAL_COMPLETION_TOKENS}
    budget = min(budget, most_tokens // 2)
    return _reasoning(budget) if budget >= _MIN_BUDGET else {}


def _reasoning(budget: int) -> dict[str, Any]:
    return {"anthropic_thinking": {"type": "enabled", "budget_tokens": budget}}


AS_IT_IS = ModelOptions()


class PydanticAIModel:
    """A thread-safe model of a provider."""

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        *,
        options: ModelOptions = AS_IT_IS,
        request_seconds: float = _REQUEST_SECONDS,
        first_pause_seconds: float = _FIRST_PAUSE_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Resolve the provider; sends nothing."""
        self.name = name
        self._base_url = base_url
        self._options = options
        self._connect()
        self._request_seconds = request_seconds
        self._first_pause_seconds = first_pause_seconds
        self._sleep = sleep
        # Provider clients bind connections to an event loop: one loop in its own thread serves all
        # steps, also within notebooks.
        self._loop: BlockingPortal | None = None
        self._opened, self._opening = ExitStack(), Lock()
        self._asking = set[asyncio.Task[Any]]()
        # Fallbacks for servers without tools or streaming.
        self._takes_tools = self._streams = True

    def _connect(self) -> None:
        self._client = open_client(self.name, self._base_url)
        self._model = open_provider(self.name, self._base_url, self._client)
        self._options.check(self.name, self._model, self._base_url)

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """One answer, validated against its pydantic model."""
        call = Call(prompt, answer, allowance, _RETRIES, hear=LISTENER.get())
        future = self._running().start_task_soon(self._complete, call, answer)
        cancellation = current_cancellation()
        try:
            with cancellation.ending(future.cancel):
                return future.result()
        except CancelledError:
            cancellation.check()
            raise
        finally:
            # Cancels only unfinished work.
            future.cancel()

    def close(self) -> None:
        """Close connections; a later call reopens them."""
        with self._opening:
            self._loop = None
            self._opened.close()

    def _running(self) -> BlockingPortal:
        with self._opening:
            if self._loop is None:
                if self._client.is_closed:
                    self._connect()
                loop = self._opened.enter_context(start_blocking_portal())
                loop.call(self._model.__aenter__)
                self._opened.callback(loop.call, self._close_connections)
                self._loop = loop
            return self._loop

    async def _close_connections(self) -> None:
        """Cancel waiting calls first, which would report a server failure otherwise."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await self._model.__aexit__(None, None, None)
        await self._client.aclose()

    async def _complete(self, call: Call, answer: type[AnswerT]) -> Completion[AnswerT]:
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        while True:
            response = await self._response(call)
            try:
                return Completion(read_answer(response, answer), call.usage)
            except UnusableError as error:
                unusable = error
            if call.correction or not unusable.may_be_mended:
                is_ours = unusable.code == "truncated" and call.is_capped
                raise self._error(call, "limit" if is_ours else unusable.code, unusable.problem)
            call.correction = unusable.correction

    async def _response(self, call: Call) -> Response:
        """The response to a request, with retries."""
        from pydantic_ai.exceptions import AgentRunError

        pause = self._first_pause_seconds
        while True:
            self._check_allowance(call)
            takes_tools, streams = self._takes_tools, self._streams
            try:
                response = await self._reply(call, takes_tools=takes_tools, streams=streams)
            except (AgentRunError, *_FAILED) as error:
                failure = failure_of(error)
            else:
                call.usage += call.usage_of(response)
                return response_of(response)
            call.usage += Usage(call.prompt_tokens if failure.may_be_paid else 0, 0, 0)
            if failure.rejects_streams and streams:
                self._streams = False
                continue
            if failure.rejects_tools and takes_tools:
                self._takes_tools = False
                continue
            seconds = pause if failure.retry_after is None else failure.retry_after
            if not failure.may_pass or not call.retries_left or seconds >= call.seconds_left:
                raise self._error(call, failure.code, failure.what)
            call.retries_left -= 1
            pause *= 2
            await self._sleep(seconds)

    async def _reply(self, call: Call, *, takes_tools: bool, streams: bool) -> "ModelResponse":
        """The reply; a streamed one may take any time while data arrives."""
        from pydantic_ai.direct import model_request, model_request_stream

        messages, settings = call.messages(takes_tools=takes_tools), self._settings(call)
        parameters = call.parameters(takes_tools=takes_tools)
        how: dict[str, Any] = {"model_settings": settings, "model_request_parameters": parameters}
        call.hear(ReplyLength())
        if not streams:
            async with asyncio.timeout(min(self._request_seconds, call.seconds_left)):
                return await model_request(self._model, messages, **how)
        heard = ReplyLength()
        async with (
            asyncio.timeout(call.seconds_left),
            model_request_stream(self._model, messages, **how) as stream,
        ):
            async for event in stream:
                heard += heard_in(event)
                call.hear(heard)
        return stream.get()

    def _settings(self, call: Call) -> "ModelSettings":
        call.is_capped = call.completion_tokens_left < USUAL_COMPLETION_TOKENS
        most_tokens = call.completion_tokens_left if call.is_capped else None
        settings = self._options.settings(self._model, call.prompt.temperature, most_tokens)
        # Some providers cache on request only, and charge for writing: most conversations have one
        # turn.
        settings["cache"] = {"messages": bool(call.prompt.earlier)}
        return cast(
            "ModelSettings", {"timeout": self._request_seconds, "max_retries": 0, **settings}
        )

    def _check_allowance(self, call: Call) -> None:
        if call.completion_tokens_left < MIN_COMPLETION_TOKENS:
            raise self._error(
                call, "limit", "another request would take more tokens than it may use"
            )
        if call.allowance.calls is not None and call.usage.calls >= call.allowance.calls:
            raise self._error(call, "limit", "another request would be one more than it may send")

    def _error(self, call: Call, code: ModelErrorCode, what: str) -> ModelError:
        return no_answer(self.name, code, what, call.usage)


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
