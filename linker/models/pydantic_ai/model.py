"""
Language models through pydantic-ai: enters a prompt, leaves a validated answer, whatever happens on
the way.

One request is what pydantic-ai does; how often to ask, how long to wait, what an unusable answer
means and what was paid for it is decided here, alike for all providers. docs/models.md lists the
outcomes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from linker.budget import LEAST_COMPLETION_TOKENS, UNLIMITED, USUAL_COMPLETION_TOKENS, Allowance
from linker.errors import ModelError, ModelErrorCode
from linker.models.base import LISTENER, AnswerT, Completion, Prompt, ReplyLength
from linker.models.pydantic_ai.connections import open_client
from linker.models.pydantic_ai.failures import (
    NO_COMPLETION,
    RefusedReplyError,
    RequestFailure,
    failure_of,
    hint_of,
)
from linker.models.pydantic_ai.messages import (
    Call,
    Response,
    UnusableError,
    heard_in,
    read_answer,
    response_of,
)
from linker.models.pydantic_ai.options import ModelOptions
from linker.models.pydantic_ai.providers import open_provider
from linker.types import Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.settings import ModelSettings

ResultT = TypeVar("ResultT")

_REQUEST_SECONDS = 120.0
AS_IT_IS = ModelOptions()
_FIRST_PAUSE_SECONDS = 1.0
_RETRIES = 2
# What adapters of pydantic-ai raise by accident when a body has another shape than the provider's.
_TRIPPED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class EventLoop:
    """
    One event loop in a thread of its own, started when it is first used, and again after it was
    closed.

    The clients of the providers keep their connections, and a connection belongs to the loop that
    opened it. Steps ask from several threads, and a notebook has a loop of its own already.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._running: tuple[asyncio.AbstractEventLoop, Thread] | None = None

    @property
    def is_running(self) -> bool:
        """True if it was used since it was last closed."""
        return self._running is not None

    def run(self, coroutine: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Wait for the coroutine; when the waiting is interrupted, it is cancelled."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return future.result()
        finally:
            # What has ended cannot be cancelled: this stops only what nobody waits for any more.
            future.cancel()

    def close(self, let_go: Callable[[], Awaitable[object]]) -> None:
        """Cancel what still runs, then let go of what it used, and stop the thread."""
        with self._lock:
            running, self._running = self._running, None
        if running:
            loop, thread = running
            try:
                asyncio.run_coroutine_threadsafe(_end(let_go), loop).result()
            finally:
                loop.call_soon_threadsafe(loop.stop)
                thread.join()
                loop.close()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if not self._running:
                loop = asyncio.new_event_loop()
                # A daemon: a program that forgot to close it ends all the same.
                thread = Thread(target=loop.run_forever, name=self._name, daemon=True)
                thread.start()
                self._running = (loop, thread)
            return self._running[0]


async def _end(let_go: Callable[[], Awaitable[object]]) -> None:
    """
    Whoever still waits for an answer is told first: a connection that is gone looks like a server
    that fails.
    """
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await let_go()


class PydanticAIModel:
    """One model of one provider; several threads may ask it at once."""

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
        """Find the provider; nothing is sent yet."""
        self.name = name
        self._base_url = base_url
        self._options = options
        self._connect()
        self._request_seconds = request_seconds
        self._first_pause_seconds = first_pause_seconds
        self._sleep = sleep
        self._loop = EventLoop(f"model {name}")
        self._opening = Lock()
        # A server that takes none is asked for its answer as text, one that cannot stream for all
        # at once.
        self._takes_tools = self._streams = True

    def _connect(self) -> None:
        self._client = open_client()
        self._model = open_provider(self.name, self._base_url, self._client)
        self._options.check(self.name, self._model, self._base_url)

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: Allowance = UNLIMITED
    ) -> Completion[AnswerT]:
        """One answer, validated against its pydantic model."""
        with self._opening:
            if not self._loop.is_running:
                if self._client.is_closed:
                    self._connect()
                self._loop.run(self._model.__aenter__())
        return self._loop.run(
            self._complete(Call(prompt, answer, allowance, _RETRIES, hear=LISTENER.get()), answer)
        )

    def close(self) -> None:
        """Let go of the connections; a later call opens them anew."""
        with self._opening:
            if self._loop.is_running:
                self._loop.close(self._let_go)

    async def _let_go(self) -> None:
        await self._model.__aexit__(None, None, None)
        await self._client.aclose()

    async def _complete(self, call: Call, answer: type[AnswerT]) -> Completion[AnswerT]:
        try:
            return Completion(read_answer(await self._response(call), answer), call.usage)
        except UnusableError as unusable:
            if not unusable.may_be_mended:
                raise self._unusable(call, unusable) from None
            call.correction = unusable.correction
        try:
            return Completion(read_answer(await self._response(call), answer), call.usage)
        except UnusableError as unusable:
            raise self._unusable(call, unusable) from None

    async def _response(self, call: Call) -> Response:
        """The response to one request, which is sent again where that may help."""
        pause = self._first_pause_seconds
        while True:
            self._check_allowance(call)
            takes_tools, streams = self._takes_tools, self._streams
            outcome = await self._request(call, takes_tools=takes_tools)
            if not isinstance(outcome, RequestFailure):
                return outcome
            if outcome.rejects_streams and streams:
                self._streams = False
                continue
            if outcome.rejects_tools and takes_tools:
                self._takes_tools = False
                continue
            seconds = pause if outcome.retry_after_seconds is None else outcome.retry_after_seconds
            if not outcome.may_pass or not call.retries_left or seconds >= call.seconds_left:
                raise self._error(call, outcome.code, outcome.what)
            call.retries_left -= 1
            pause *= 2
            await self._sleep(seconds)

    async def _request(self, call: Call, *, takes_tools: bool) -> Response | RequestFailure:
        from pydantic_ai.exceptions import AgentRunError

        try:
            response = await self._reply(call, takes_tools=takes_tools, streams=self._streams)
        except TimeoutError:
            failure = RequestFailure("timeout", "it did not answer in time", may_be_paid=True)
        except (AgentRunError, RefusedReplyError) as error:
            failure = failure_of(error)
        except _TRIPPED:
            failure = NO_COMPLETION
        else:
            call.usage += call.usage_of(response)
            return response_of(response)
        call.usage += Usage(call.prompt_tokens if failure.may_be_paid else 0, 0, 0)
        return failure

    async def _reply(self, call: Call, *, takes_tools: bool, streams: bool) -> "ModelResponse":
        """What came back; a reply that is streamed may take long, as long as it does not stop."""
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
        # Some cache only what they are told to, and writing costs more than reading: most
        # conversations are one turn.
        settings["cache"] = {"messages": bool(call.prompt.earlier)}
        return cast(
            "ModelSettings", {"timeout": self._request_seconds, "max_retries": 0, **settings}
        )

    def _check_allowance(self, call: Call) -> None:
        if call.completion_tokens_left < LEAST_COMPLETION_TOKENS:
            raise self._error(
                call, "limit", "another request would take more tokens than it may use"
            )
        if call.allowance.calls is not None and call.usage.calls >= call.allowance.calls:
            raise self._error(call, "limit", "another request would be one more than it may send")

    def _unusable(self, call: Call, unusable: UnusableError) -> ModelError:
        code = "limit" if unusable.code == "truncated" and call.is_capped else unusable.code
        return self._error(call, code, unusable.problem)

    def _error(self, call: Call, code: ModelErrorCode, what: str) -> ModelError:
        message = f"model `{self.name}` gave no usable answer: {what}"
        return ModelError(message, hint=hint_of(code), code=code, usage=call.usage)
