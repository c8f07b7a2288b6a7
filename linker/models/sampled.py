"""
A model behind an MCP client (sampling): answers from the replies so far, or raises
`SamplingRequired` with the next request.

Replies arrive between calls of a server that serves others meanwhile, so linking never waits for
them: it stops and is repeated when the reply is there.
"""

import hashlib
from collections.abc import Mapping

from linker.budget import MIN_COMPLETION_TOKENS, UNLIMITED, USUAL_COMPLETION_TOKENS, CallLimit
from linker.errors import ModelErrorCode
from linker.models import AnswerT, Completion, Prompt, estimate_tokens, schema_of
from linker.models.pydantic_ai.failures import no_answer
from linker.models.pydantic_ai.messages import FORM, Response, UnusableError, read_answer
from linker.types import NOTHING_USED, Record, Usage


class SamplingRequest(Record, frozen=True):
    """A request for the client's model: messages, the user's first, and instructions."""

    instructions: str
    turns: tuple[str, ...]
    most_tokens: int
    temperature: float

    @property
    def key(self) -> str:
        """Key of the reply within a question."""
        return hashlib.sha256("\0".join((self.instructions, *self.turns)).encode()).hexdigest()[:16]


class SampledReply(Record, frozen=True):
    """A reply, or a code for its absence."""

    text: str
    code: ModelErrorCode | None = None
    is_cut_off: bool = False

    @property
    def response(self) -> Response:
        """In the form of a provider's response."""
        return Response((self.text,), is_cut_off=self.is_cut_off)


class SamplingRequired(Exception):  # noqa: N818 - no fault: the reply is fetched, and linking done again
    """A reply is missing."""

    def __init__(self, wanted: SamplingRequest) -> None:
        super().__init__("the client's model has to be asked")
        self.wanted = wanted


class SampledModel:
    """
    Answers from available replies and collects missing ones in `wanted`, since steps may ask in
    parallel.

    Usage is estimated; clients do not report it.
    """

    name = "client:sampling"

    def __init__(self, replies: Mapping[str, SampledReply]) -> None:
        self._replies = replies
        self.wanted: dict[str, SamplingRequest] = {}

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """The answer from a reply, with one correction."""
        turns = list[str]()
        for exchange in prompt.earlier:
            turns += [exchange.content, exchange.reply]
        turns.append(prompt.content)
        spent = NOTHING_USED
        for attempt in range(2):
            reply, usage = self._reply(prompt, answer, turns, allowance, spent)
            spent += usage
            if reply.code:
                raise no_answer(self.name, reply.code, reply.text, spent)
            try:
                return Completion(read_answer(reply.response, answer), spent)
            except UnusableError as unusable:
                if attempt or not unusable.may_be_mended:
                    raise no_answer(self.name, unusable.code, unusable.problem, spent) from None
                turns += [reply.text, unusable.correction]
        raise AssertionError  # the second attempt returns or raises

    def _reply(
        self,
        prompt: Prompt,
        answer: type[AnswerT],
        turns: list[str],
        allowance: CallLimit,
        spent: Usage,
    ) -> tuple[SampledReply, Usage]:
        instructions = f"{prompt.instructions}{FORM}{schema_of(answer)}"
        tokens = sum(map(estimate_tokens, (instructions, *turns)))
        left = (
            USUAL_COMPLETION_TOKENS
            if allowance.tokens is None
            else allowance.tokens - spent.tokens - tokens
        )
        if left < MIN_COMPLETION_TOKENS or (
            allowance.calls is not None and spent.calls >= allowance.calls
        ):
            raise no_answer(
                self.name, "limit", "another request would go beyond what it may use", spent
            )
        wanted = SamplingRequest(
            instructions, tuple(turns), min(left, USUAL_COMPLETION_TOKENS), prompt.temperature
        )
        reply = self._replies.get(wanted.key)
        if reply is None:
            self.wanted[wanted.key] = wanted
            raise SamplingRequired(wanted)
        return reply, Usage(tokens, 0, estimate_tokens(reply.text))
