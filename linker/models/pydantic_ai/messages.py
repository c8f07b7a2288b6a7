"""
One exchange in pydantic-ai's words: enters a call under way, leaves messages to send, or the answer
that came back.

The correction follows the content as a further message, so that a provider finds in its cache all
that came before it. An object inside prose is taken when it is the only one that fits; a call that
was written out as text is read as one.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from pydantic import BaseModel, ValidationError

from linker.budget import USUAL_COMPLETION_TOKENS, Allowance
from linker.errors import ModelErrorCode
from linker.models.base import AnswerT, Prompt, ReplyLength, unheard
from linker.text.tokens import estimate_tokens, schema_of
from linker.types import NOTHING_USED, Record, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
    from pydantic_ai.models import ModelRequestParameters

ANSWER_TOOL = "final_result"
# Before the schema of an answer, of a model that takes no tools.
FORM = "\n\nAnswer with one JSON object that fits this JSON schema, and with nothing else:\n"

_LONGEST_EXCERPT = 2_000
_LONGEST_REFUSAL = 200
_MOST_PROBLEMS = 5
_MOST_STARTS = 1_000
# What stands before an object that belongs to another one, which was broken or cut off.
_INSIDE = re.compile(r"""(?:[{\[]|"\s*:|[}\]"]\s*,)\s*$""")
_LONGEST_GAP = 200
# The longest that one answer may take with all its requests and pauses, where no limit is given.
_ANSWER_SECONDS = 300.0


class ToolCall(Record, frozen=True):
    """A tool that the model wants, and what it wants to give it, as JSON."""

    tool: str
    arguments: str


class Response(Record, frozen=True):
    """The response to one request, whichever provider sent it."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    is_cut_off: bool = False
    is_refused: bool = False
    refusal: str = ""


class UnusableError(Exception):
    """The response holds no answer; where asking once more may help, what to tell the model."""

    def __init__(
        self, code: ModelErrorCode, problem: str, *, excerpt: str = "", may_be_mended: bool = True
    ) -> None:
        super().__init__(problem)
        self.code = code
        self.problem = problem
        self.excerpt = excerpt[:_LONGEST_EXCERPT]
        self.may_be_mended = may_be_mended

    @property
    def correction(self) -> str:
        """The message to a model that answered badly."""
        was = f"\nIt was:\n{self.excerpt}\n" if self.excerpt else " "
        return f"Your last answer could not be used: {self.problem}.{was}Answer again, in the form that was asked for."


def read_answer(response: Response, answer: type[AnswerT]) -> AnswerT:
    """The answer that the response holds, or UnusableError."""
    if response.is_refused:
        refusal = (
            f": {' '.join(response.refusal.split())[:_LONGEST_REFUSAL]}" if response.refusal else ""
        )
        raise UnusableError("refused", f"it refuses to answer{refusal}", may_be_mended=False)
    given = [call.arguments for call in response.calls if call.tool == ANSWER_TOOL] or [
        response.text
    ]
    problem = ""
    for text in given:
        try:
            return _answer_in(text, answer, only_whole=response.is_cut_off)
        except ValueError as error:
            problem = problem or str(error)
    if response.is_cut_off:
        raise UnusableError("truncated", "its answer was cut off", may_be_mended=False)
    if any(text.strip() for text in given):
        raise UnusableError(
            "malformed", problem, excerpt=next(text for text in given if text.strip())
        )
    if response.calls and not any(call.tool == ANSWER_TOOL for call in response.calls):
        raise UnusableError(
            "wrong_tool", f"it calls `{response.calls[0].tool[:100]}`, which it was not offered"
        )
    raise UnusableError("empty", "its answer is empty")


def _answer_in(text: str, answer: type[AnswerT], *, only_whole: bool) -> AnswerT:
    """ValueError says why there is none."""
    objects = list(_whole(text)) or ([] if only_whole else list(_objects_in(text)))
    if not objects:
        raise ValueError("it is no JSON object")
    fitting: list[AnswerT] = []
    problem = ""
    for found in objects:
        try:
            fitting.append(answer.model_validate_json(json.dumps(_unwrapped(found))))
        except ValidationError as error:
            problem = problem or _misfit(error)
    if not fitting:
        raise ValueError(problem)
    if any(other != fitting[0] for other in fitting):
        raise ValueError("it holds several answers that differ")
    return fitting[0]


def _whole(text: str) -> Iterator[dict[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        yield found


def _objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The objects in prose; what lies inside a broken one does not count."""
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            return
        if _INSIDE.search(text[max(0, start - _LONGEST_GAP) : start]):
            continue
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield found
        start = end - 1


def _unwrapped(found: dict[str, Any]) -> dict[str, Any]:
    """
    The arguments of a call that a model wrote out as text, as small ones do; else the object as it
    is.
    """
    if found.get("name") != ANSWER_TOOL:
        return found
    inner = found.get("arguments", found.get("parameters"))
    if isinstance(inner, str):
        inner = next(_whole(inner), None)
    return inner if isinstance(inner, dict) else found


def _misfit(error: ValidationError) -> str:
    """Problems of an answer, in words; values of the answer are not repeated."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    parts = [
        f"{'.'.join(str(part) for part in each['loc']) or 'the object'}: {each['msg']}"
        for each in problems
    ]
    more = f"; and {len(parts) - _MOST_PROBLEMS} more" if len(parts) > _MOST_PROBLEMS else ""
    return "it does not fit: " + "; ".join(parts[:_MOST_PROBLEMS]) + more


class Call(Struct):
    """One answer that is wanted of the model, and its cost so far."""

    prompt: Prompt
    answer: type[BaseModel]
    allowance: Allowance
    retries_left: int
    usage: Usage = NOTHING_USED
    correction: str = ""
    is_capped: bool = False
    hear: Callable[[ReplyLength], None] = unheard
    started: float = field(default_factory=time.monotonic)

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens the next request has."""
        return (
            self.prompt.tokens
            + estimate_tokens(schema_of(self.answer))
            + estimate_tokens(self.correction)
        )

    @property
    def completion_tokens_left(self) -> int:
        """Tokens that the next answer may have."""
        if self.allowance.tokens is None:
            return USUAL_COMPLETION_TOKENS
        return self.allowance.tokens - self.usage.tokens - self.prompt_tokens

    @property
    def seconds_left(self) -> float:
        """Time that is left for the answer."""
        seconds = _ANSWER_SECONDS if self.allowance.seconds is None else self.allowance.seconds
        return max(0.0, seconds - (time.monotonic() - self.started))

    def messages(self, *, takes_tools: bool) -> "list[ModelMessage]":
        """
        The instructions first, then what came before, then the content, then the correction if
        there is one.
        """
        from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

        instructions = self.prompt.instructions
        if not takes_tools:
            instructions += FORM + schema_of(self.answer)
        texts = [self.prompt.content] + ([self.correction] if self.correction else [])
        messages: list[ModelMessage] = []
        for exchange in self.prompt.earlier:
            messages.append(
                ModelRequest(parts=[UserPromptPart(exchange.content)], instructions=instructions)
            )
            # As text, whichever way it came: providers differ in what a call of a tool has to be
            # followed by.
            messages.append(ModelResponse(parts=[TextPart(exchange.reply)]))
        return [
            *messages,
            ModelRequest(parts=[UserPromptPart(text) for text in texts], instructions=instructions),
        ]

    def parameters(self, *, takes_tools: bool) -> "ModelRequestParameters":
        """The one tool that is offered: giving the answer."""
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
        """
        The usage of one request as its provider counted it, or an estimate: some count nothing
        where they stream.
        """
        used = response.usage
        if used.input_tokens or used.output_tokens:
            return Usage(used.input_tokens, used.cache_read_tokens, used.output_tokens)
        found = response_of(response)
        return Usage(
            self.prompt_tokens,
            0,
            estimate_tokens("".join((found.text, *(each.arguments for each in found.calls)))),
        )


def response_of(response: "ModelResponse") -> Response:
    """The response of the model, without its thoughts."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    details = response.provider_details or {}
    return Response(
        text="\n".join(part.content for part in response.parts if isinstance(part, TextPart)),
        calls=tuple(
            ToolCall(part.tool_name, _written(part.args))
            for part in response.parts
            if isinstance(part, ToolCallPart)
        ),
        is_cut_off=response.finish_reason == "length",
        is_refused=response.finish_reason == "content_filter",
        refusal=str(details.get("refusal") or details.get("block_reason_message") or ""),
    )


def _written(arguments: str | Mapping[str, Any] | None) -> str:
    """The arguments as the model wrote them; a string may be no JSON at all."""
    return (
        arguments
        if isinstance(arguments, str)
        else json.dumps(arguments)
        if arguments is not None
        else ""
    )


def heard_in(event: "ModelResponseStreamEvent") -> ReplyLength:
    """The characters of a piece of a reply."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent

    if isinstance(event, PartStartEvent):
        piece: object = event.part
    elif isinstance(event, PartDeltaEvent):
        piece = event.delta
    else:
        return ReplyLength()
    fields = ("content", "content_delta", "args", "args_delta")
    length = sum(
        len(text) for name in fields if isinstance(text := getattr(piece, name, None), str)
    )
    return (
        ReplyLength(thought=length)
        if type(piece).__name__.startswith("Thinking")
        else ReplyLength(written=length)
    )
