"""A language model that answers from a script: deterministic, for tests and for replaying a run."""

from collections.abc import Sequence

from pydantic import ValidationError

from linker.errors import ModelError
from linker.models.base import AnswerT, Completion, Prompt, Usage


class ScriptedModel:
    """Gives its answers in order, whatever is asked, and keeps the prompts it was given."""

    name = "scripted:script"

    def __init__(self, answers: Sequence[object]) -> None:
        self._answers = list(answers)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, answer: type[AnswerT]) -> Completion[AnswerT]:
        """The next answer of the script, validated as a real one would be."""
        self.prompts.append(prompt)
        if not self._answers:
            raise ModelError("the script has no answer left", hint="add one to the script")
        try:
            validated = answer.model_validate(self._answers.pop(0))
        except ValidationError as error:
            raise ModelError(
                f"the script's answer is not a {answer.__name__}", hint=str(error).splitlines()[0]
            ) from error
        return Completion(answer=validated, usage=Usage(prompt_tokens=0, cached_tokens=0, completion_tokens=0))
