"""A language model that is traced: enter prompts, leave answers, and both are noted with what they cost."""

from linker.budget import UNLIMITED, Allowance
from linker.errors import LinkerError
from linker.link.trace import Trace
from linker.models import AnswerT, Completion, LanguageModel, ModelSession, Prompt


class TracedSession:
    """A model whose prompts and answers are noted, with what they cost."""

    def __init__(self, session: ModelSession, trace: Trace) -> None:
        self._session, self._trace = session, trace

    def at(self, step: str) -> LanguageModel:
        """The model at a step."""
        return _TracedModel(self._session.at(step), step, self._trace)


class _TracedModel:
    def __init__(self, model: LanguageModel, step: str, trace: Trace) -> None:
        self._model, self._step, self._trace = model, step, trace

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, prompt: Prompt, answer: type[AnswerT], allowance: Allowance = UNLIMITED) -> Completion[AnswerT]:
        try:
            completion = self._model.complete(prompt, answer, allowance)
        except LinkerError as error:
            self._trace.note("call", step=self._step, model=self.name, prompt=prompt, error=error.what)
            raise
        self._trace.note(
            "call", step=self._step, model=self.name, prompt=prompt, answer=completion.answer, usage=completion.usage
        )
        return completion
