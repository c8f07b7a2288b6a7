"""
Converts one exchange to pydantic-ai messages, and extracts the answer from its response.

A correction is appended after the content, so that the provider's prompt cache still matches. A
JSON object in prose is accepted if it is the only one that validates; a tool call written as text
is parsed as one.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from pydantic import BaseModel, ValidationError

from linker.budget import USUAL_COMPLETION_TOKENS, CallLimit
from linker.errors import ModelErrorCode
from linker.models import AnswerT, Prompt, ReplyLength, estimate_tokens, ignore_progress, schema_of
from linker.types import NOTHING_USED, Record, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import (
        ModelMessage,
        ModelResponse,
        ModelResponseStreamEvent,
        ToolCallPart,
    )
    from pydantic_ai.models import ModelRequestParameters

ANSWER_TOOL = "final_result"
# Precedes an answer's schema for models without tools.
FORM = "\n\nAnswer with one JSON object that fits this JSON schema, and with nothing else:\n"

_LONGEST_EXCERPT = 2_000
_LONGEST_REFUSAL = 200
_MAX_PROBLEMS = 5
_MAX_STARTS = 1_000
# Text before an object that belongs to a broken or truncated outer one.
_INSIDE = re.compile(r"""(?:[{\[]|"\s*:|[}\]"]\s*,)\s*$""")
_LONGEST_GAP = 200
# Maximum time for an answer with all requests and pauses, without other limits.
_ANSWER_SECONDS = 300.0


class Response(Record, frozen=True):
    """Texts of a response that may hold the answer."""

    texts: tuple[str, ...]
    is_cut_off: bool = False
    # The text of a refusal, possibly empty.
    refusal: str | None = None
    # A called tool that was not offered.
    other_tool: str = ""


@dataclass(eq=False)
class UnusableError(Exception):
    """No answer in the response; `correction` is the message for a retry, if one may help."""

    code: ModelErrorCode
    problem: str
    excerpt: str = ""

    @property
    def may_be_mended(self) -> bool:
        """Whether a retry may help."""
        return self.code not in ("refused", "truncated")

    @property
    def correction(self) -> str:
        """The message for the retry."""
        was = f"\nIt was:\n{self.excerpt[:_LONGEST_EXCERPT]}\n" if self.excerpt else " "
        return (
            f"Your last answer could not be used: {self.problem}.{was}Answer again, in the form "
            "that was asked for."
        )


def read_answer(response: Response, answer: type[AnswerT]) -> AnswerT:
    """The answer in a response, or UnusableError."""
    if response.refusal is not None:
        words = " ".join(response.refusal.split())[:_LONGEST_REFUSAL]
        colon = ": " if words else ""
        raise UnusableError("refused", f"it refuses to answer{colon}{words}")
    problems = list[str]()
    for text in response.texts:
        try:
            return _answer_in(text, answer, only_whole=response.is_cut_off)
        except ValueError as error:
            problems.append(str(error))
    if response.is_cut_off:
        raise UnusableError("truncated", "its answer was cut off")
    for text in response.texts:
        if text.strip():
            raise UnusableError("malformed", problems[0], text)
    if response.other_tool:
        problem = f"it calls `{response.other_tool[:100]}`, which it was not offered"
        raise UnusableError("wrong_tool", problem)
    raise UnusableError("empty", "its answer is empty")


def _answer_in(text: str, answer: type[AnswerT], *, only_whole: bool) -> AnswerT:
    """ValueError explains why there is none."""
    objects = list(_whole(text))
    if not objects and not only_whole:
        objects = list(_objects_in(text))
    fitting, problems = list[AnswerT](), list[str]()
    for candidate in objects:
        try:
            fitting.append(answer.model_validate_json(json.dumps(_unwrapped(candidate))))
        except ValidationError as error:
            problems.append(_misfit(error))
    if not fitting:
        raise ValueError(problems[0] if problems else "it is no JSON object")
    if any(other != fitting[0] for other in fitting):
        raise ValueError("it holds several answers that differ")
    return fitting[0]


def _whole(text: str) -> Iterator[dict[str, Any]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(content, dict):
        yield content


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects in prose; parts of a broken one are ignored."""
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(_MAX_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return
        if _INSIDE.search(text[max(0, start - _LONGEST_GAP) : start]):
            continue
        try:
            content, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield content
        start = end - 1


def _unwrapped(content: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a tool call that a small model wrote as text; else the object itself."""
    if content.get("name") != ANSWER_TOOL:
        return content
    inner = content.get("arguments", content.get("parameters"))
    if isinstance(inner, str):
        inner = next(_whole(inner), None)
    return inner if isinstance(inner, dict) else content


def _misfit(error: ValidationError) -> str:
    """Validation problems, without values."""
    parts = list[str]()
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        where = ".".join(map(str, item["loc"])) or "the object"
        parts.append(f"{where}: {item['msg']}")
    more = f"; and {len(parts) - _MAX_PROBLEMS} more" if len(parts) > _MAX_PROBLEMS else ""
    return "it does not fit: " + "; ".join(parts[:_MAX_PROBLEMS]) + more


class Call(Struct):
    """One requested answer, and its cost so far."""

    prompt: Prompt
    answer: type[BaseModel]
    allowance: CallLimit
    retries_left: int
    usage: Usage = NOTHING_USED
    correction: str = ""
    is_capped: bool = False
    hear: Callable[[ReplyLength], None] = ignore_progress
    started: float = field(default_factory=time.monotonic)

    @property
    def prompt_tokens(self) -> int:
        """Approximate tokens of the next request."""
        further = estimate_tokens(schema_of(self.answer)) + estimate_tokens(self.correction)
        return self.prompt.tokens + further

    @property
    def completion_tokens_left(self) -> int:
        """Tokens left for the next answer."""
        if self.allowance.tokens is None:
            return USUAL_COMPLETION_TOKENS
        return self.allowance.tokens - self.usage.tokens - self.prompt_tokens

    @property
    def seconds_left(self) -> float:
        """Seconds left."""
        seconds = _ANSWER_SECONDS if self.allowance.seconds is None else self.allowance.seconds
        return max(0.0, seconds - (time.monotonic() - self.started))

    def messages(self, *, takes_tools: bool) -> "list[ModelMessage]":
        """Instructions, conversation, content, and a correction, if any."""
        from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

        form = "" if takes_tools else FORM + schema_of(self.answer)
        instructions = self.prompt.instructions + form
        messages: list[ModelMessage] = []
        for exchange in self.prompt.earlier:
            messages += [
                ModelRequest.user_text_prompt(exchange.content, instructions=instructions),
                # As text, since providers differ in what must follow a tool call.
                ModelResponse(parts=[TextPart(exchange.reply)]),
            ]
        texts = filter(None, (self.prompt.content, self.correction))
        parts = [UserPromptPart(text) for text in texts]
        return [*messages, ModelRequest(parts=parts, instructions=instructions)]

    def parameters(self, *, takes_tools: bool) -> "ModelRequestParameters":
        """The only tool: giving the answer."""
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.tools import ToolDefinition

        if not takes_tools:
            return ModelRequestParameters(output_mode="text")
        tool = ToolDefinition(
            name=ANSWER_TOOL,
            description="Give the answer.",
            parameters_json_schema=self.answer.model_json_schema(),
            kind="output",
        )
        return ModelRequestParameters(
            output_mode="tool", output_tools=[tool], allow_text_output=False
        )

    def usage_of(self, response: "ModelResponse") -> Usage:
        """Usage as reported, or estimated; some providers report none for streams."""
        used = response.usage
        if used.input_tokens or used.output_tokens:
            return Usage(used.input_tokens, used.cache_read_tokens, used.output_tokens)
        written = "".join([response.text or "", *map(_arguments_of, response.tool_calls)])
        return Usage(self.prompt_tokens, 0, estimate_tokens(written))


def response_of(response: "ModelResponse") -> Response:
    """A response without reasoning."""
    calls, details = response.tool_calls, response.provider_details or {}
    given = [_arguments_of(call) for call in calls if call.tool_name == ANSWER_TOOL]
    refusal = str(details.get("refusal") or details.get("block_reason_message") or "")
    return Response(
        tuple(given) or (response.text or "",),
        is_cut_off=response.finish_reason == "length",
        refusal=refusal if response.finish_reason == "content_filter" else None,
        other_tool=calls[0].tool_name if calls and not given else "",
    )


def _arguments_of(call: "ToolCallPart") -> str:
    """Arguments as the model wrote them; may be invalid JSON."""
    if call.args is None or isinstance(call.args, str):
        return call.args or ""
    return json.dumps(call.args)


def heard_in(event: "ModelResponseStreamEvent") -> ReplyLength:
    """Characters of a stream event."""
    from pydantic_ai import messages

    piece: object = None
    if isinstance(event, messages.PartStartEvent):
        piece = event.part
    elif isinstance(event, messages.PartDeltaEvent):
        piece = event.delta
    fields = ("content", "content_delta", "args", "args_delta")
    texts = [getattr(piece, name, None) for name in fields]
    length = sum(len(text) for text in texts if isinstance(text, str))
    if isinstance(piece, messages.ThinkingPart | messages.ThinkingPartDelta):
        return ReplyLength(thought=length)
    return ReplyLength(written=length)
