"""Model session: admission, limits and costs across threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel

from benchmarks.scripted import RuleModel, ScriptedModel
from linker.budget import CallLimit, CostTracker, Limits
from linker.errors import BudgetExceeded, ModelError
from linker.models import LanguageModel, Prompt
from linker.models.metering import ModelSession
from linker.types import Usage

PROMPT = Prompt("Choose.", "How many orders were returned?")


class Word(BaseModel):
    """The requested answer."""

    word: str


def failure(code: str, usage: Usage) -> ModelError:
    return ModelError("it failed", hint="do something", code=code, usage=usage)  # type: ignore[arg-type]


def test_what_a_step_asks_is_booked_at_the_step() -> None:
    ledger = CostTracker()
    session = ModelSession(RuleModel(lambda _prompt, _answer: {"word": "yes"}), ledger)
    first = session.at("hypotheses").complete(PROMPT, Word)
    session.at("grounding").complete(PROMPT, Word)
    session.at("grounding").complete(PROMPT, Word)
    costs = ledger.cost_by_step
    assert costs["hypotheses"].tokens == first.usage.tokens
    assert (costs["hypotheses"].calls, costs["grounding"].calls) == (1, 2)
    assert costs["grounding"].prompt_tokens == 2 * first.usage.prompt_tokens


def test_the_metered_model_is_a_language_model_of_the_same_name() -> None:
    model: LanguageModel = ModelSession(ScriptedModel([]), CostTracker()).at("grounding")
    assert model.name == "scripted:script"


def test_what_a_failed_answer_cost_is_booked_and_the_error_passed_on() -> None:
    ledger = CostTracker()
    refused = failure("refused", Usage(100, 40, 5, calls=2))
    with pytest.raises(ModelError) as caught:
        ModelSession(ScriptedModel([refused]), ledger).at("grounding").complete(PROMPT, Word)
    assert caught.value is refused
    cost = ledger.total
    assert (cost.prompt_tokens, cost.cached_tokens, cost.completion_tokens, cost.calls) == (
        100,
        40,
        5,
        2,
    )


def test_a_call_beyond_the_limit_never_reaches_the_model() -> None:
    model = ScriptedModel([{"word": "yes"}])
    with pytest.raises(BudgetExceeded) as caught:
        ModelSession(model, CostTracker(Limits(max_tokens=200))).at("grounding").complete(
            PROMPT, Word
        )
    assert (caught.value.limit, caught.value.step) == ("max_tokens", "grounding")
    assert model.prompts == []


def test_a_model_that_stops_at_its_allowance_has_reached_the_limit_of_the_user() -> None:
    stopped = failure("limit", Usage(600, 0, 100))
    session = ModelSession(ScriptedModel([stopped]), CostTracker(Limits(max_tokens=1000)))
    with pytest.raises(BudgetExceeded) as caught:
        session.at("grounding").complete(PROMPT, Word)
    assert caught.value.limit == "max_tokens"
    session = ModelSession(
        ScriptedModel([failure("limit", Usage(10, 0, 0, calls=2))]),
        CostTracker(Limits(max_calls=2)),
    )
    with pytest.raises(BudgetExceeded) as caught:
        session.at("grounding").complete(PROMPT, Word)
    assert caught.value.limit == "max_calls"


def test_an_allowance_of_the_step_itself_is_no_limit_of_the_user() -> None:
    session = ModelSession(
        ScriptedModel([failure("limit", Usage(600, 0, 100))]), CostTracker(Limits(max_tokens=5000))
    )
    with pytest.raises(ModelError) as caught:
        session.at("grounding").complete(PROMPT, Word, CallLimit(tokens=1000))
    assert caught.value.code == "limit"


def test_an_answer_that_took_all_the_time_has_reached_the_limit_of_time() -> None:
    now = [0.0]
    ledger = CostTracker(Limits(timeout_seconds=10), clock=lambda: now[0])

    def slow(_prompt: Prompt, _answer: type[BaseModel]) -> object:
        now[0] = 11.0
        raise failure("timeout", Usage(100, 0, 0))

    with pytest.raises(BudgetExceeded) as caught:
        ModelSession(RuleModel(slow), ledger).at("grounding").complete(PROMPT, Word)
    assert caught.value.limit == "timeout"
    assert ledger.total.prompt_tokens == 100


def test_the_model_is_told_what_is_left() -> None:
    seen: list[CallLimit] = []

    class Watching(ScriptedModel):
        def complete(self, prompt, answer, allowance=CallLimit()):  # type: ignore[no-untyped-def] # noqa: B008
            seen.append(allowance)
            return super().complete(prompt, answer, allowance)

    model = Watching([{"word": "yes"}] * 2)
    step = ModelSession(
        model,
        CostTracker(Limits(max_tokens=5000, max_calls=9, timeout_seconds=60), clock=lambda: 0.0),
    ).at("x")
    step.complete(PROMPT, Word)
    step.complete(PROMPT, Word, CallLimit(tokens=900, seconds=5))
    assert seen == [CallLimit(5000, 4, 60), CallLimit(900, 4, 5)]


def test_no_more_calls_run_at_once_than_there_are_places() -> None:
    at_once, most = 0, 0
    lock = threading.Lock()
    # Three meet inside the model, which shows that they run at once; a fourth would break the
    # count.
    meeting = threading.Barrier(3)

    def rule(_prompt: Prompt, _answer: type[BaseModel]) -> object:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        meeting.wait(timeout=20)
        with lock:
            at_once -= 1
        return {"word": "yes"}

    ledger = CostTracker(Limits(max_tokens=10**7))
    session = ModelSession(RuleModel(rule), ledger, max_concurrent_calls=3)
    with ThreadPoolExecutor(12) as threads:
        steps = [
            threads.submit(session.at(f"step {number % 4}").complete, PROMPT, Word)
            for number in range(12)
        ]
        assert [step.result(timeout=20).answer.word for step in steps] == ["yes"] * 12
    assert most == 3
    assert ledger.total.calls == 12
    assert [cost.calls for cost in ledger.cost_by_step.values()] == [3, 3, 3, 3]
