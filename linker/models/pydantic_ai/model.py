"""
Language models through pydantic-ai: a validated answer to a prompt, whatever happens on the way.

One request is what pydantic-ai does; how often to ask, how long to wait, what an unusable answer
means and what was paid for it is decided here, alike for all providers. docs/models.md lists the
outcomes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from anyio.from_thread import BlockingPortal, start_blocking_portal

from linker.budget import LEAST_COMPLETION_TOKENS, UNLIMITED, USUAL_COMPLETION_TOKENS, Allowance
from linker.errors import ModelError, ModelErrorCode
from linker.models.base import LISTENER, AnswerT, Completion, Prompt, ReplyLength
from linker.models.pydantic_ai.failures import RequestFailedError, failure_of, no_answer
from linker.models.pydantic_ai.messages import (
    Call,
    Response,
    UnusableError,
    heard_in,
    read_answer,
    response_of,
)
from linker.models.pydantic_ai.options import ModelOptions
from linker.models.pydantic_ai.providers import open_client, open_provider
from linker.types import Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.settings import ModelSettings

_REQUEST_SECONDS = 120.0
AS_IT_IS = ModelOptions()
_FIRST_PAUSE_SECONDS = 1.0
_RETRIES = 2
# Besides the errors of pydantic-ai; the last four its adapters raise by accident when a body has
# another shape than the provider's.
_FAILED = (RequestFailedError, TimeoutError, AttributeError, LookupError, TypeError, ValueError)


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
        # The clients of the providers keep their connections, and a connection belongs to the event
        # loop that opened it: one in a thread of its own. Steps ask from several threads, and a
        # notebook has a loop of its own already.
        self._loop: BlockingPortal | None = None
        self._opened, self._opening = ExitStack(), Lock()
        self._asking = set[asyncio.Task[Any]]()
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
        call = Call(prompt, answer, allowance, _RETRIES, hear=LISTENER.get())
        future = self._running().start_task_soon(self._complete, call, answer)
        try:
            return future.result()
        finally:
            # What has ended cannot be cancelled: this stops only what nobody waits for any more.
            future.cancel()

    def close(self) -> None:
        """Let go of the connections; a later call opens them anew."""
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
                self._opened.callback(loop.call, self._let_go)
                self._loop = loop
            return self._loop

    async def _let_go(self) -> None:
        """
        Whoever still waits for an answer is told first: a connection that is gone looks like a
        server that fails.
        """
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
        """The response to one request, which is sent again where that may help."""
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

    def _error(self, call: Call, code: ModelErrorCode, what: str) -> ModelError:
        return no_answer(self.name, code, what, call.usage)
