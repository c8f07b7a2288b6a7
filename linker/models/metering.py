"""The models of one question: calls within limits, counted by step."""

from collections.abc import Mapping
from threading import BoundedSemaphore
from typing import TypeVar

from msgspec.structs import astuple

from linker.budget import UNLIMITED, CallLimit, CostTracker, Reservation, limit_reached
from linker.errors import LimitName, ModelError
from linker.models import AnswerT, Completion, LanguageModel, Prompt, estimate_tokens, schema_of

NumberT = TypeVar("NumberT", int, float)
NO_OTHERS: Mapping[str, LanguageModel] = {}


class ModelSession:
    """The models of one question."""

    def __init__(
        self,
        model: LanguageModel,
        ledger: CostTracker,
        *,
        max_concurrent_calls: int = 4,
        of_steps: Mapping[str, LanguageModel] = NO_OTHERS,
    ) -> None:
        """`of_steps` overrides the model of single steps."""
        self.model, self.ledger, self.of_steps = model, ledger, of_steps
        self.call_slots = BoundedSemaphore(max_concurrent_calls)

    def at(self, step: str) -> "MeteredModel":
        """The model for a step, with cost accounting."""
        return MeteredModel(self, step)


class MeteredModel:
    """A model whose calls are admitted and counted by the ledger; else BudgetExceeded."""

    def __init__(self, session: ModelSession, step: str) -> None:
        self._model = session.of_steps.get(step, session.model)
        self._session, self._ledger, self.step = session, session.ledger, step
        self.name = self._model.name

    def complete(
        self, prompt: Prompt, answer: type[AnswerT], allowance: CallLimit = UNLIMITED
    ) -> Completion[AnswerT]:
        """One answer within the limits; ModelError or BudgetExceeded."""
        tokens = prompt.tokens + estimate_tokens(schema_of(answer))
        with self._session.call_slots, self._ledger.call(self.step, tokens) as grant:
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
        """The user's limit that caused a failure, if any."""
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
