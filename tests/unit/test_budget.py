"""Cost tracking, and refusal of calls beyond limits."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linker.budget import CallLimit, Cost, CostTracker, Limits
from linker.errors import BudgetExceeded
from linker.types import Usage


class Clock:
    """A clock that advances only on request."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def spend(ledger: CostTracker, step: str, usage: Usage, prompt_tokens: int = 100) -> CallLimit:
    with ledger.call(step, prompt_tokens) as grant:
        grant.spend(usage)
    return grant.allowance


def limit_of(action: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(BudgetExceeded) as caught:
        action()
    return caught.value.limit, caught.value.step


def test_each_step_has_its_account_and_all_together_have_one() -> None:
    clock = Clock()
    ledger = CostTracker(clock=clock)
    with ledger.step("grounding"):
        spend(ledger, "grounding", Usage(1000, 600, 50))
        spend(ledger, "grounding", Usage(500, 0, 20, calls=3))
        clock.seconds += 2
    with ledger.step("refinement"):
        ledger.admit_probe("refinement")
        ledger.add_bytes("refinement", 4096)
        clock.seconds += 3
    clock.seconds += 1
    assert ledger.cost_by_step == {
        "grounding": Cost(
            calls=4, prompt_tokens=1500, cached_tokens=600, completion_tokens=70, seconds=2
        ),
        "refinement": Cost(probes=1, bytes=4096, seconds=3),
    }
    assert ledger.total == Cost(4, 1500, 600, 70, 1, 4096, seconds=6)
    assert ledger.total.tokens == 1570


def test_steps_keep_the_order_in_which_they_began() -> None:
    ledger = CostTracker()
    with ledger.step("outer"):
        spend(ledger, "inner", Usage(1, 0, 1))
    assert list(ledger.cost_by_step) == ["outer", "inner"]


def test_a_step_that_fails_is_counted_all_the_same() -> None:
    clock = Clock()
    ledger = CostTracker(clock=clock)

    def failing() -> None:
        with ledger.step("grounding"), ledger.call("grounding", 100) as grant:
            grant.spend(Usage(100, 0, 0))
            clock.seconds += 1
            raise ValueError("it failed")

    with pytest.raises(ValueError, match="it failed"):
        failing()
    assert ledger.total == Cost(calls=1, prompt_tokens=100, seconds=1)


def test_without_limits_everything_is_allowed() -> None:
    ledger = CostTracker()
    assert spend(ledger, "grounding", Usage(10**9, 0, 10**9), prompt_tokens=10**9) == CallLimit()
    assert ledger.admit_probe("refinement") is None
    assert ledger.seconds_left is None


def test_a_prompt_that_leaves_no_room_for_an_answer_is_not_sent() -> None:
    ledger = CostTracker(Limits(max_tokens=1000))
    # 1000 less 744 are the 256 that an answer needs at least.
    assert spend(ledger, "grounding", Usage(0, 0, 0), prompt_tokens=744).tokens == 1000
    assert limit_of(lambda: spend(ledger, "grounding", Usage(0, 0, 0), prompt_tokens=745)) == (
        "max_tokens",
        "grounding",
    )


def test_what_was_spent_is_gone_for_all_steps() -> None:
    ledger = CostTracker(Limits(max_tokens=1000))
    spend(ledger, "hypotheses", Usage(500, 0, 100))
    assert spend(ledger, "grounding", Usage(0, 0, 0)).tokens == 400
    spend(ledger, "grounding", Usage(100, 0, 0))
    assert limit_of(lambda: spend(ledger, "vote", Usage(0, 0, 0))) == ("max_tokens", "vote")


def test_one_call_may_not_use_more_than_two_long_answers_need() -> None:
    allowance = spend(
        CostTracker(Limits(max_tokens=10**6)), "grounding", Usage(0, 0, 0), prompt_tokens=100
    )
    assert allowance.tokens == 2 * (100 + 16_384)


def test_calls_are_bounded_with_those_that_were_tried_again() -> None:
    ledger = CostTracker(Limits(max_calls=3))
    assert spend(ledger, "grounding", Usage(0, 0, 0, calls=2)).calls == 3
    assert spend(ledger, "grounding", Usage(0, 0, 0)).calls == 1
    assert limit_of(lambda: spend(ledger, "grounding", Usage(0, 0, 0))) == (
        "max_calls",
        "grounding",
    )


def test_probes_and_bytes_are_bounded() -> None:
    ledger = CostTracker(Limits(max_probes=2, max_bytes=1000))
    ledger.admit_probe("refinement")
    ledger.add_bytes("refinement", 999)
    ledger.admit_probe("refinement")
    assert limit_of(lambda: ledger.admit_probe("refinement")) == ("max_probes", "refinement")
    assert ledger.total.probes == 2
    ledger = CostTracker(Limits(max_bytes=1000))
    ledger.admit_probe("refinement")
    ledger.add_bytes("refinement", 1000)
    assert limit_of(lambda: ledger.admit_probe("refinement")) == ("max_bytes", "refinement")


def test_no_probe_at_all_may_be_allowed() -> None:
    assert limit_of(lambda: CostTracker(Limits(max_probes=0)).admit_probe("refinement")) == (
        "max_probes",
        "refinement",
    )


def test_when_the_time_is_over_nothing_more_begins() -> None:
    clock = Clock()
    ledger = CostTracker(Limits(timeout_seconds=10), clock=clock)
    clock.seconds += 4
    assert ledger.admit_probe("refinement") == 6
    assert spend(ledger, "grounding", Usage(0, 0, 0)).seconds == 6
    ledger.check_time("vote")
    clock.seconds += 6
    for action in (
        ledger.check_time,
        ledger.admit_probe,
        lambda step: spend(ledger, step, Usage(0, 0, 0)),
    ):
        assert limit_of(lambda action=action: action("vote")) == ("timeout", "vote")  # type: ignore[misc]


@pytest.mark.parametrize(
    ("limits", "said", "hint"),
    [
        (Limits(max_tokens=1000), "1,000 tokens", "--max-tokens"),
        (Limits(max_calls=0), "0 calls", "`max_calls`"),
        (Limits(timeout_seconds=0), "0 seconds", "--timeout"),
    ],
)
def test_the_error_says_which_limit_where_and_what_to_do(
    limits: Limits, said: str, hint: str
) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        spend(CostTracker(limits), "grounding", Usage(0, 0, 0), prompt_tokens=10_000)
    assert said in caught.value.what
    assert "`grounding`" in caught.value.what
    assert hint in caught.value.hint


def test_a_call_waits_for_one_that_may_leave_enough() -> None:
    ledger = CostTracker(Limits(max_tokens=1000))
    under_way, may_end = threading.Event(), threading.Event()

    def first() -> None:
        with ledger.call("grounding", 500) as grant:
            under_way.set()
            may_end.wait(timeout=20)
            grant.spend(Usage(100, 0, 0))

    def second() -> CallLimit:
        under_way.wait(timeout=20)
        threading.Timer(0.05, may_end.set).start()
        return spend(ledger, "grounding", Usage(100, 0, 0), prompt_tokens=500)

    with ThreadPoolExecutor(2) as threads:
        threads.submit(first)
        assert threads.submit(second).result(timeout=20).tokens == 900
    assert ledger.total.prompt_tokens == 200


@settings(max_examples=20, deadline=None)
@given(
    costs=st.lists(
        st.tuples(st.integers(1, 400), st.integers(1, 400), st.integers(1, 3)),
        min_size=1,
        max_size=20,
    ),
    max_tokens=st.integers(1, 6000),
    max_calls=st.integers(1, 30),
)
def test_no_limit_is_ever_overrun_however_many_threads_ask(
    costs: list[tuple[int, int, int]], max_tokens: int, max_calls: int
) -> None:
    ledger = CostTracker(Limits(max_tokens=max_tokens, max_calls=max_calls, max_probes=3))

    def ask(cost: tuple[int, int, int]) -> int:
        prompt, completion, calls = cost
        try:
            with ledger.call("grounding", prompt) as grant:
                tokens, most_calls = grant.allowance.tokens, grant.allowance.calls
                assert tokens is not None
                assert most_calls is not None
                assert tokens >= prompt + 256
                # A model keeps to its allowance.
                used = min(calls, most_calls)
                grant.spend(Usage(prompt, 0, min(completion, tokens - prompt), calls=used))
        except BudgetExceeded:
            return 0
        return used

    def probe(_: object) -> int:
        try:
            ledger.admit_probe("refinement")
        except BudgetExceeded:
            return 0
        return 1

    with ThreadPoolExecutor(6) as threads:
        calls = sum(threads.map(ask, costs))
        probes = sum(threads.map(probe, costs))
    assert ledger.total.tokens <= max_tokens
    assert ledger.total.calls == calls <= max_calls
    assert ledger.total.probes == probes == min(3, len(costs))
