"""
A judge for each step: enters the setting `judges`, leaves one judge that asks the one of the step.

What a model cannot answer is no end of the run: the step is done by the judge without a model, and the answer says so.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from linker.errors import ConfigError, LimitReached, ModelError
from linker.link.hypotheses import Hypothesis, Proposal
from linker.link.judges.base import STEPS, Judge, Pick, Step, Turn, Unknown
from linker.link.linking import Linking
from linker.link.model_questions import ModelQuestions
from linker.link.question import LinkedQuestion
from linker.link.refinement import Refinement
from linker.types import TableRef

AnswerT = TypeVar("AnswerT")
_MODEL, _PROFILES = "model", "profiles"


def judge_by_step(linking: Linking, reserve: Judge) -> Judge:
    """The judge that the settings ask for; without a model it is the reserve."""
    environment = linking.environment
    judges = judges_of(environment.settings.judges or "", has_model=environment.model is not None)
    if _MODEL not in judges.values():
        return reserve
    if environment.model is None:
        raise ConfigError("`judges` names the language model, and there is none", hint="set `model` to provider:name")
    from linker.link.judges.language import LanguageJudge

    model = ModelQuestions(linking)
    language = LanguageJudge(model, linking.names, environment.profile_of)
    steps = tuple(step for step, judge in judges.items() if judge == _MODEL)
    return JudgeByStep(steps, language, reserve, model, linking)


class JudgeByStep:
    """Asks the language model in its steps, and the reserve in the others and where the model cannot answer."""

    name = "by step"

    def __init__(
        self, steps: tuple[Step, ...], language: Judge, reserve: Judge, model: ModelQuestions, linking: Linking
    ) -> None:
        self._steps, self._language, self._reserve = steps, language, reserve
        self._model, self._linking = model, linking

    def propose(self, question: LinkedQuestion) -> Proposal:
        """Ways to answer, by the judge of that step."""
        return self._ask("hypotheses", lambda judge: judge.propose(question))

    def choose_tables(
        self, question: LinkedQuestion, hypothesis: Hypothesis, unknown: tuple[Unknown, ...] = ()
    ) -> tuple[Pick, ...]:
        """Tables, by the judge of that step."""
        return self._ask("tables", lambda judge: judge.choose_tables(question, hypothesis, unknown))

    def choose_columns(
        self,
        question: LinkedQuestion,
        hypothesis: Hypothesis,
        tables: tuple[TableRef, ...],
        unknown: tuple[Unknown, ...] = (),
    ) -> tuple[Pick, ...]:
        """Columns, by the judge of that step."""
        return self._ask("columns", lambda judge: judge.choose_columns(question, hypothesis, tables, unknown))

    def decide(self, question: LinkedQuestion, refinement: Refinement) -> Turn:
        """The next turn, by the judge of that step."""
        return self._ask("refinement", lambda judge: judge.decide(question, refinement))

    def _ask(self, step: Step, question: Callable[[Judge], AnswerT]) -> AnswerT:
        if step not in self._steps or self._model.is_over:
            return question(self._reserve)
        try:
            return self._model.attempt(lambda: question(self._language))
        except (ModelError, LimitReached) as error:
            self._linking.degrade(step, error.what, f"the step `{step}` was done without the language model")
            return question(self._reserve)


def judges_of(setting: str, *, has_model: bool) -> Mapping[Step, str]:
    """The judge of each step in `model`, or in `tables=profiles,columns=profiles`; the usual one takes the others."""
    usual = _MODEL if has_model else _PROFILES
    if setting.strip() in (_MODEL, _PROFILES):
        return dict.fromkeys(STEPS, setting.strip())
    judges: dict[Step, str] = dict.fromkeys(STEPS, usual)
    for part in filter(None, (part.strip() for part in setting.split(","))):
        name, _, judge = (side.strip() for side in part.partition("="))
        step = next((step for step in STEPS if step == name), None)
        if step is None or judge not in (_MODEL, _PROFILES):
            raise ConfigError(
                f"`judges` is not valid at `{part}`",
                hint=f"write `{_MODEL}`, `{_PROFILES}`, or step=judge, with a step of {', '.join(STEPS)}",
            )
        judges[step] = judge
    return judges
