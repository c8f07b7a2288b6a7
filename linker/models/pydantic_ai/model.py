"""Language models through pydantic-ai, built for `provider:name` and an optional base URL."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from anyio.from_thread import BlockingPortal, start_blocking_portal

from linker.budget import MIN_COMPLETION_TOKENS, UNLIMITED, USUAL_COMPLETION_TOKENS, CallLimit
from linker.cancellation import current_cancellation
from linker.errors import ModelError, ModelErrorCode
from linker.models import REPLY_LISTENER, AnswerT, Completion, Prompt, ReplyLength
from linker.models.pydantic_ai.failures import (
    RequestFailedError,
    failure_of,
    no_answer,
    not_set_up,
)
from linker.models.pydantic_ai.messages import (
    Call,
    Response,
    UnusableError,
    heard_in,
    read_answer,
    response_of,
)
from linker.models.pydantic_ai.providers import open_client, open_provider
from linker.types import Record, Usage

if TYPE_CHECKING:
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
        call = Call(prompt, answer, allowance, _RETRIES, hear=REPLY_LISTENER.get())
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
