"""
Interface of language models: a validated answer to a prompt, its cost, and a token estimate without
a tokenizer.

Linking works without a model. Every request goes through a session that enforces limits and
concurrency, and counts the cost of failed answers. The weights of the token estimate are a
least-squares fit to two byte-pair vocabularies of 65,000 and 152,000 entries over prose, SQL, JSON,
names and schemas (docs/models.md).
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from linker.budget import UNLIMITED, CallLimit
from linker.types import Record, Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

    from linker.models.pydantic_ai.model import PydanticAIModel


AnswerT = TypeVar("AnswerT", bound="BaseModel")
_PIECES = re.compile(r"([a-zA-Z]+)|(\d+)|([^\x00-\x7f]+)|([!-/:-@\[-`{-~])|(\n+)|([ \t]{2,})")
_TOKENS_PER_WORD = 1.0
_SHORT_WORD = 6  # typical letters per token
_TOKENS_PER_FURTHER_LETTER = 0.3
_TOKENS_PER_DIGIT = 0.6
_TOKENS_PER_FOREIGN_CHARACTER = 1.0
_TOKENS_PER_MARK = 0.6
_TOKENS_PER_BREAK = 1.3
_TOKENS_PER_INDENT = 0.2


def estimate_tokens(text: str) -> int:
    """Approximate number of tokens."""
    tokens = 0.0
    for word, digits, foreign, mark, line_break, _indent in _PIECES.findall(text):
        if word:
            tokens += _TOKENS_PER_WORD + _TOKENS_PER_FURTHER_LETTER * max(
                0, len(word) - _SHORT_WORD
            )
        elif digits:
            tokens += _TOKENS_PER_DIGIT * len(digits)
        elif foreign:
            tokens += _TOKENS_PER_FOREIGN_CHARACTER * len(foreign)
        elif mark:
            tokens += _TOKENS_PER_MARK
        else:
            tokens += _TOKENS_PER_BREAK if line_break else _TOKENS_PER_INDENT
    return round(tokens)


@lru_cache(maxsize=64)
def schema_of(answer: "type[BaseModel]") -> str:
    """JSON schema of an answer, part of every prompt."""
    return json.dumps(answer.model_json_schema())


class MessagePair(Record, frozen=True):
    """An earlier prompt of the conversation, and its reply as JSON."""

    content: str
    reply: str


class Prompt(Record, frozen=True):
    """
    A prompt. Instructions are stable and come first, so that providers can cache them.

    A temperature above 0 samples answers, if the model supports it. `earlier` holds the
    conversation verbatim, for caching too.
    """

    instructions: str
    content: str
    temperature: float = 0.0
    earlier: tuple[MessagePair, ...] = ()

    @property
    def tokens(self) -> int:
        """Approximate number of tokens."""
        prompts = (exchange.content for exchange in self.earlier)
        replies = (exchange.reply for exchange in self.earlier)
        return sum(map(estimate_tokens, (self.instructions, *prompts, *replies, self.content)))


class Completion(Record, Generic[AnswerT], frozen=True):
    """A validated answer with its total cost, including retries."""

    answer: AnswerT
    usage: Usage


class ReplyLength(Record, frozen=True):
    """Characters of a streamed reply: reasoning and text."""

    thought: int = 0
    written: int = 0

    def __add__(self, other: "ReplyLength") -> "ReplyLength":
        return ReplyLength(self.thought + other.thought, self.written + other.written)


def ignore_progress(_heard: ReplyLength) -> None:
    """Ignores progress."""


# Receiver of progress in this context.
REPLY_LISTENER: ContextVar[Callable[[ReplyLength], None]] = ContextVar(
    "reply_listener", default=ignore_progress
)


@contextmanager
def listening(hear: Callable[[ReplyLength], None]) -> Iterator[None]:
    """Receive the progress of streamed replies in the block."""
    token = REPLY_LISTENER.set(hear)
    try:
        yield
    finally:
        REPLY_LISTENER.reset(token)


class LanguageModel(Protocol):
    """A thread-safe model with structured output."""

    @property
    def name(self) -> str: ...

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """
        One answer validated against its pydantic model; ModelError if the allowance does not
        suffice.
        """


def open_model(
    name: str,
    base_url: str | None = None,
    request_seconds: float = 120.0,
    *,
    effort: str | None = None,
    temperature: float | None = None,
) -> "PydanticAIModel":
    """The model `provider:name` through pydantic-ai; the caller closes it."""
    from linker.models.pydantic_ai.model import ModelOptions, PydanticAIModel

    return PydanticAIModel(
        name, base_url, options=ModelOptions(effort, temperature), request_seconds=request_seconds
    )
