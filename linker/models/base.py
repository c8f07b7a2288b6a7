"""The seam to language models: enters a prompt and the shape of the answer, leaves a validated answer and its cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from linker.budget import UNLIMITED, Allowance
from linker.types import Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

AnswerT = TypeVar("AnswerT", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Prompt:
    """
    What is asked. The instructions are the stable part and come first, so that providers can cache them.

    Above a temperature of 0 answers are drawn, where the model lets that be said.
    """

    instructions: str
    content: str
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Completion(Generic[AnswerT]):
    """A validated answer, and what it cost with all that was needed to get it."""

    answer: AnswerT
    usage: Usage


class LanguageModel(Protocol):
    """Answers a prompt in a given shape. One model may be asked by several threads at once."""

    @property
    def name(self) -> str:
        """`provider:model`."""

    def complete(self, prompt: Prompt, answer: type[AnswerT], allowance: Allowance = UNLIMITED) -> Completion[AnswerT]:
        """One answer, validated against its pydantic model; ModelError when none can be had within the allowance."""
