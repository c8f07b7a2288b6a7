"""
One request and its response in pydantic-ai's words: enters a call under way, leaves messages, or what came back.

The correction follows the content as a further message, so that a provider finds in its cache all that came before it.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from linker.budget import USUAL_COMPLETION_TOKENS, Allowance
from linker.models.base import Prompt
from linker.models.pydantic_ai.replies import ANSWER_TOOL, Response, ToolCall, UnusableError
from linker.text.tokens import estimate_tokens, schema_of
from linker.types import NOTHING_USED, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters

# The longest that one answer may take with all its requests and pauses.
_ANSWER_SECONDS = 300.0


@dataclass
class Call:
    """What is wanted of the model, and what it cost so far."""

    prompt: Prompt
    answer: type[BaseModel]
    allowance: Allowance
    retries_left: int
    usage: Usage = NOTHING_USED
    correction: str = ""
    is_capped: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens the next request has."""
        texts = (self.prompt.instructions, self.prompt.content, schema_of(self.answer), self.correction)
        return sum(estimate_tokens(text) for text in texts)

    @property
    def completion_tokens_left(self) -> int:
        """How many tokens the next answer may have."""
        if self.allowance.tokens is None:
            return USUAL_COMPLETION_TOKENS
        return self.allowance.tokens - self.usage.tokens - self.prompt_tokens

    @property
    def seconds_left(self) -> float:
        """How much time is left for the answer."""
        seconds = _ANSWER_SECONDS if self.allowance.seconds is None else min(self.allowance.seconds, _ANSWER_SECONDS)
        return max(0.0, seconds - (time.monotonic() - self.started))


def correction_of(unusable: UnusableError) -> str:
    """What to tell a model that answered badly."""
    was = f"\nIt was:\n{unusable.excerpt}\n" if unusable.excerpt else " "
    return f"Your last answer could not be used: {unusable.problem}.{was}Answer again, in the form that was asked for."


def messages_of(call: Call, *, takes_tools: bool) -> "list[ModelMessage]":
    """The instructions first, then the content, then the correction if there is one."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    instructions = call.prompt.instructions
    if not takes_tools:
        instructions += (
            "\n\nAnswer with one JSON object that fits this JSON schema, and with nothing else:\n"
            + schema_of(call.answer)
        )
    texts = [call.prompt.content] + ([call.correction] if call.correction else [])
    return [ModelRequest(parts=[UserPromptPart(text) for text in texts], instructions=instructions)]


def parameters_of(answer: type[BaseModel], *, takes_tools: bool) -> "ModelRequestParameters":
    """The one tool that is offered: giving the answer."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    if not takes_tools:
        return ModelRequestParameters(output_mode="text")
    tool = ToolDefinition(
        name=ANSWER_TOOL,
        description="Give the answer.",
        parameters_json_schema=answer.model_json_schema(),
        kind="output",
    )
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def response_of(response: "ModelResponse") -> Response:
    """What the model said, without what it thought."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    details = response.provider_details or {}
    return Response(
        text="\n".join(part.content for part in response.parts if isinstance(part, TextPart)),
        calls=tuple(
            ToolCall(part.tool_name, _written(part.args)) for part in response.parts if isinstance(part, ToolCallPart)
        ),
        is_cut_off=response.finish_reason == "length",
        is_refused=response.finish_reason == "content_filter",
        refusal=str(details.get("refusal") or details.get("block_reason_message") or ""),
    )


def _written(arguments: str | Mapping[str, Any] | None) -> str:
    """The arguments as the model wrote them; a string may be no JSON at all."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments is not None else ""


def usage_of(response: "ModelResponse") -> Usage:
    """What the provider counted for one request."""
    used = response.usage
    return Usage(used.input_tokens, used.cache_read_tokens, used.output_tokens)
