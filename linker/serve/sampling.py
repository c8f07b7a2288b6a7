"""
Linking with the model of the client: enter questions and a request, leaves lines, or what the
client has to be asked.

Clients of before 2026-07-28 are asked while their call lasts; those of later answer it with replies
and call again. Either way linking is done in rounds, each with the replies so far, so nobody else
waits while the client thinks.
"""

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequest,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import is_version_at_least
from msgspec import field
from msgspec.structs import replace

from linker.environment import Environment
from linker.models.sampled import ReplyWanted, SampledModel, SampledReply, WantedReply
from linker.serve import finding
from linker.serve.lookup import Lookup
from linker.serve.resident import Resident
from linker.types import Record, as_dict

# From this version on a server asks by what it answers.
_ASKS_BY_ANSWERING = "2026-07-28"
# Clients call again at most ten times.
_MOST_ROUNDS = 8
_LEAST_SECONDS = 0.05

Replies = Mapping[str, SampledReply]


def lends_model(context: Context[Any, Any], environment: Environment) -> bool:
    """True where the client offers sampling, and no other model is set."""
    offered = context.client_capabilities
    return offered is not None and offered.sampling is not None and not environment.settings.model


class Sampling(Record, frozen=True):
    """Questions that are linked with the model of a client."""

    resident: Resident
    questions: Sequence[str]
    replies: Replies = field(default_factory=dict)
    rounds: int = 0
    began: float = field(default_factory=time.time)

    async def answer(self, context: Context[Any, Any]) -> Lookup | InputRequiredResult:
        """The lines of the answer, or what the client has to be asked before its next call."""
        if is_version_at_least(context.protocol_version or "", _ASKS_BY_ANSWERING):
            return await self._continued(context)._answer_by_calls()
        return await self._answer_in_call(context)

    async def _answer_in_call(self, context: Context[Any, Any]) -> Lookup:
        at = self
        while wanted := (found := await anyio.to_thread.run_sync(at.linked))[1]:
            replies = dict(at.replies)

            async def ask(each: WantedReply, replies: dict[str, SampledReply] = replies) -> None:
                replies[each.key] = await self._reply(each, context)

            async with anyio.create_task_group() as asking:
                for each in wanted:
                    asking.start_soon(ask, each)
            at = replace(at, replies=replies, rounds=at.rounds + 1)
        return found[0]

    async def _answer_by_calls(self) -> Lookup | InputRequiredResult:
        found, wanted = await anyio.to_thread.run_sync(self.linked)
        if not wanted:
            return found
        requests: dict[str, InputRequest] = {each.key: request_of(each) for each in wanted}
        known = {key: as_dict(reply) for key, reply in self.replies.items()}
        state = {"rounds": self.rounds + 1, "began": self.began, "replies": known}
        return InputRequiredResult(input_requests=requests, request_state=json.dumps(state))

    def _continued(self, context: Context[Any, Any]) -> "Sampling":
        """The same with what the client brought along; the state is sealed, so it is ours."""
        if context.request_state is None:
            return self
        state = json.loads(context.request_state)
        replies = {key: SampledReply(**reply) for key, reply in state["replies"].items()}
        for key, response in (context.input_responses or {}).items():
            if isinstance(response, CreateMessageResult):
                replies[key] = reply_of(response)
        return replace(self, replies=replies, rounds=state["rounds"], began=state["began"])

    def linked(self) -> tuple[Lookup, tuple[WantedReply, ...]]:
        """One round: the lines, and what the model has to be asked before they are whole."""
        model = SampledModel(self.replies)
        with self.resident.turn() as environment:
            left = max(_LEAST_SECONDS, environment.settings.timeout - (time.time() - self.began))
            # Rounds that end before the answer would fill the folder of traces.
            changed = environment.with_model(model).with_settings(timeout=left, kept_traces=0)
            lines: list[str] = []
            for question in self.questions:
                lines += self._lines(changed, question)
        wanted = tuple(model.wanted.values())
        if wanted and self.rounds >= _MOST_ROUNDS:
            refused = {
                each.key: SampledReply("it was asked often enough", "limit") for each in wanted
            }
            return replace(self, replies={**self.replies, **refused}).linked()
        if used := [reply for reply in self.replies.values() if not reply.code]:
            lines.insert(
                0, f"thought with your model, asked {len(used)} time{'s' * (len(used) != 1)}"
            )
        return Lookup(tuple(lines), finding.FURTHER_LINKED), wanted

    def _lines(self, environment: Environment, question: str) -> list[str]:
        try:
            return finding.linked_lines(environment, question, len(self.questions))
        except ReplyWanted:
            return []

    async def _reply(self, wanted: WantedReply, context: Context[Any, Any]) -> SampledReply:
        settings = self.resident.environment.settings
        left = max(_LEAST_SECONDS, settings.timeout - (time.time() - self.began))
        ask = partial(
            context.session.send_request,
            request_of(wanted),
            CreateMessageResult,
            min(settings.model_timeout, left),
            ServerMessageMetadata(related_request_id=context.request_id),
        )
        try:
            with anyio.fail_after(min(settings.model_timeout, left)):
                return reply_of(await ask())
        except TimeoutError:
            return SampledReply("it did not answer in time", "timeout")
        except MCPError as error:
            return SampledReply(f"the client says: {error}", "refused")


def request_of(wanted: WantedReply) -> CreateMessageRequest:
    """The request to a client."""
    messages = [
        SamplingMessage(
            role="assistant" if place % 2 else "user", content=TextContent(type="text", text=text)
        )
        for place, text in enumerate(wanted.turns)
    ]
    return CreateMessageRequest(
        params=CreateMessageRequestParams(
            messages=messages,
            system_prompt=wanted.instructions,
            temperature=wanted.temperature,
            max_tokens=wanted.most_tokens,
        )
    )


def reply_of(result: CreateMessageResult) -> SampledReply:
    """The text of a client's reply."""
    text = result.content.text if isinstance(result.content, TextContent) else ""
    return SampledReply(text, is_cut_off=result.stop_reason == "maxTokens")
