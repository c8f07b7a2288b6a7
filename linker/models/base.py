"""The seam to language models: enters a prompt and the shape of the answer, leaves a validated answer and its cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

AnswerT = TypeVar("AnswerT", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked. The instructions are the stable part and come first, so that providers can cache them."""

    instructions: str
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost."""

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Completion(Generic[AnswerT]):
    """A validated answer, and what it cost."""

    answer: AnswerT
    usage: Usage


class LanguageModel(Protocol):
    """Answers a prompt in a given shape."""

    @property
    def name(self) -> str:
        """`provider:model`."""

    def complete(self, prompt: Prompt, answer: type[AnswerT]) -> Completion[AnswerT]:
        """One answer, validated against its pydantic model; ModelError when none can be had."""
