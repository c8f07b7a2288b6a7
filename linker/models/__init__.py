"""Language models behind one protocol. None is needed: without one, linking works on profiles and retrieval."""

from typing import TYPE_CHECKING

from linker.models.base import (
    AnswerT,
    Completion,
    Exchange,
    LanguageModel,
    MeteredModel,
    ModelSession,
    Prompt,
    ReplyLength,
    listening,
)
from linker.text.tokens import estimate_tokens
from linker.types import Usage

if TYPE_CHECKING:
    from linker.models.pydantic_ai.model import PydanticAIModel

__all__ = [
    "AnswerT",
    "Completion",
    "Exchange",
    "LanguageModel",
    "MeteredModel",
    "ModelSession",
    "Prompt",
    "ReplyLength",
    "Usage",
    "estimate_tokens",
    "listening",
    "open_model",
]


def open_model(
    name: str,
    base_url: str | None = None,
    request_seconds: float = 120.0,
    *,
    effort: str | None = None,
    temperature: float | None = None,
) -> "PydanticAIModel":
    """The model `provider:name`, through pydantic-ai; whoever opens it closes it."""
    from linker.models.pydantic_ai.model import PydanticAIModel
    from linker.models.pydantic_ai.options import ModelOptions

    return PydanticAIModel(name, base_url, options=ModelOptions(effort, temperature), request_seconds=request_seconds)
