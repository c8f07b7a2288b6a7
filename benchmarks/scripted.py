"""Scripted language models for tests and benchmarks."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from pydantic import BaseModel, ValidationError

from linker.budget import UNLIMITED, CallLimit
from linker.errors import ModelError
from linker.models import AnswerT, Completion, Prompt, estimate_tokens, schema_of
from linker.models.pydantic_ai.failures import hint_of
from linker.types import Usage


class ScriptedModel:
    """
    Gives its answers in order, whatever is asked, and keeps the prompts it was given; an error is
    raised.
    """

    name = "scripted:script"

    def __init__(self, answers: Sequence[object]) -> None:
        self._answers = list(answers)
        self._lock = Lock()
        self.prompts: list[Prompt] = []

    def complete(
        self,
        prompt: Prompt,
        answer: type[AnswerT],
        allowance: CallLimit = UNLIMITED,  # noqa: ARG002 - costs nothing
    ) -> Completion[AnswerT]:
        """The next answer of the script, validated as a real one would be."""
        with self._lock:
            self.prompts.append(prompt)
            if not self._answers:
                raise ModelError(
                    "the script has no answer left",
                    hint="add one to the script",
                    code="unavailable",
                )
            given = self._answers.pop(0)
        if isinstance(given, ModelError):
            raise given
        return Completion(_validated(given, answer, Usage(0, 0, 0)), Usage(0, 0, 0))


class RuleModel:
    """
    Answers each prompt by a function of it and of the answer's type; its tokens are the estimate.
    """

    name = "scripted:rule"

    def __init__(self, rule: Callable[[Prompt, type[BaseModel]], object]) -> None:
        self._rule = rule

    def complete(
        self,
        prompt: Prompt,
        answer: type[AnswerT],
        allowance: CallLimit = UNLIMITED,  # noqa: ARG002 - asked once
    ) -> Completion[AnswerT]:
        """The answer of the rule, validated as a real answer would be."""
        given = self._rule(prompt, answer)
        reply = given.model_dump_json() if isinstance(given, BaseModel) else str(given)
        prompt_tokens = prompt.tokens + estimate_tokens(schema_of(answer))
        usage = Usage(prompt_tokens, 0, estimate_tokens(reply))
        return Completion(_validated(given, answer, usage), usage)


def _validated(given: Any, answer: type[AnswerT], usage: Usage) -> AnswerT:  # noqa: ANN401 - that is what is found out
    # Another model's instance is read as the object that it would be over the wire.
    plain = given.model_dump() if isinstance(given, BaseModel) else given
    try:
        return answer.model_validate(plain)
    except ValidationError as error:
        first = str(error).splitlines()[0]
        raise ModelError(
            f"the answer is not a {answer.__name__}: {first}",
            hint=hint_of("malformed"),
            code="malformed",
            usage=usage,
        ) from None
