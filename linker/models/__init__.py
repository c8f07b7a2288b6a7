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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from msgspec.structs import astuple

from linker.budget import UNLIMITED, CallLimit, CostTracker, Reservation, limit_reached
from linker.errors import LimitName, ModelError
from linker.types import Record, Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

    from linker.models.pydantic_ai import PydanticAIModel


_PIECES = re.compile(r"([a-zA-Z]+)|(\d+)|([^\x00-\x7f]+)|([!-/:-@\[-`{-~])|(\n+)|([ \t]{2,})")
_TOKENS_PER_WORD = 1.0
_SHORT_WORD = 6  # letters that one piece of a vocabulary holds as a rule
_TOKENS_PER_FURTHER_LETTER = 0.3
_TOKENS_PER_DIGIT = 0.6
_TOKENS_PER_FOREIGN_CHARACTER = 1.0
_TOKENS_PER_MARK = 0.6
_TOKENS_PER_BREAK = 1.3
_TOKENS_PER_INDENT = 0.2


def estimate_tokens(text: str) -> int:
    """About how many tokens the text is."""
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
    """The JSON schema of an answer, which goes to the model with every prompt."""
    return json.dumps(answer.model_json_schema())


AnswerT = TypeVar("AnswerT", bound="BaseModel")
NumberT = TypeVar("NumberT", int, float)


class MessagePair(Record, frozen=True):
    """What a model was asked before in the same conversation, and its reply as JSON."""

    content: str
    reply: str


class Prompt(Record, frozen=True):
    """
    Text that a model is asked. The instructions are the stable part and come first, so that
    providers can cache them.

    Above a temperature of 0 answers are drawn, where the model lets that be said. In a conversation
    `earlier` holds what came before, word for word, so that providers can cache that too.
    """

    instructions: str
    content: str
    temperature: float = 0.0
    earlier: tuple[MessagePair, ...] = ()

    @property
    def tokens(self) -> int:
        """About how many tokens it is."""
        texts = (text for exchange in self.earlier for text in (exchange.content, exchange.reply))
        return sum(map(estimate_tokens, (self.instructions, *texts, self.content)))


class Completion(Record, Generic[AnswerT], frozen=True):
    """A validated answer, and what it cost with all that was needed to get it."""

    answer: AnswerT
    usage: Usage


class ReplyLength(Record, frozen=True):
    """The characters of a reply so far, of reasoning and of the reply itself."""

    thought: int = 0
    written: int = 0

    def __add__(self, other: "ReplyLength") -> "ReplyLength":
        return ReplyLength(self.thought + other.thought, self.written + other.written)


def unheard(_heard: ReplyLength) -> None:
    """Listens to nothing."""


# Who hears of the replies that are asked for here.
LISTENER: ContextVar[Callable[[ReplyLength], None]] = ContextVar("listener", default=unheard)


@contextmanager
def listening(hear: Callable[[ReplyLength], None]) -> Iterator[None]:
    """
    Let somebody hear of the replies that are asked for here while they come, as far as their models
    tell.
    """
    token = LISTENER.set(hear)
    try:
        yield
    finally:
        LISTENER.reset(token)


class LanguageModel(Protocol):
    """Answers a prompt in a given shape. One model may be asked by several threads at once."""

    @property
    def name(self) -> str:
        """`provider:model`."""

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """
        One answer, validated against its pydantic model; ModelError when none can be had within the
        allowance.
        """


NO_OTHERS: Mapping[str, LanguageModel] = {}


class ModelSession:
    """The language model for one question, shared by its steps."""

    def __init__(
        self,
        model: LanguageModel,
        ledger: CostTracker,
        *,
        max_concurrent_calls: int = 4,
        of_steps: Mapping[str, LanguageModel] = NO_OTHERS,
    ) -> None:
        """`of_steps` are the models of single steps, where they are others."""
        self.model, self.ledger, self.of_steps = model, ledger, of_steps
        self.places = BoundedSemaphore(max_concurrent_calls)

    def at(self, step: str) -> "MeteredModel":
        """The model as a step uses it: what it costs is booked there."""
        return MeteredModel(self, step)


class MeteredModel:
    """
    A model whose calls are admitted and counted by the ledger; LimitReached when one is not
    admitted.
    """

    def __init__(self, session: ModelSession, step: str) -> None:
        self._model = session.of_steps.get(step, session.model)
        self._session, self._ledger, self.step = session, session.ledger, step
        self.name = self._model.name

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """
        One answer within the limits; ModelError when none can be had, LimitReached when a limit is
        in the way.
        """
        tokens = prompt.tokens + estimate_tokens(schema_of(answer))
        with self._session.places, self._ledger.call(self.step, tokens) as grant:
            given = _smaller(grant.allowance, allowance)
            try:
                completion = self._model.complete(prompt, answer, given)
            except ModelError as error:
                grant.spend(error.usage)
                if limit := self._limit_behind(error, given, grant):
                    raise limit_reached(self._ledger.limits, limit, self.step) from error
                raise
            grant.spend(completion.usage)
        return completion

    def _limit_behind(
        self, error: ModelError, given: CallLimit, grant: Reservation
    ) -> LimitName | None:
        """The limit of the user that made an answer fail, if one did."""
        if self._ledger.seconds_left == 0:
            return "timeout"
        if error.code != "limit":
            return None
        if given.calls is not None and error.usage.calls >= given.calls:
            return "max_calls" if given.calls == grant.allowance.calls else None
        return (
            "max_tokens"
            if grant.holds_last_tokens and given.tokens == grant.allowance.tokens
            else None
        )


def _smaller(first: CallLimit, second: CallLimit) -> CallLimit:
    return CallLimit(*map(_least, astuple(first), astuple(second)))


def _least(first: NumberT | None, second: NumberT | None) -> NumberT | None:
    return min((item for item in (first, second) if item is not None), default=None)


def open_model(
    name: str,
    base_url: str | None = None,
    request_seconds: float = 120.0,
    *,
    effort: str | None = None,
    temperature: float | None = None,
) -> "PydanticAIModel":
    """The model `provider:name`, through pydantic-ai; whoever opens it closes it."""
    from linker.models.pydantic_ai import ModelOptions, PydanticAIModel

    return PydanticAIModel(
        name, base_url, options=ModelOptions(effort, temperature), request_seconds=request_seconds
    )
