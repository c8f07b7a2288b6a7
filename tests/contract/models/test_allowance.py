"""Call limits of an answer, and concurrent use of one model."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor

from linker.budget import CallLimit, CostTracker
from linker.models.metering import ModelSession
from tests.contract.model_server import ModelServer, Reply
from tests.contract.model_wires import OpenAI, Wire
from tests.contract.models.scripted_provider import GOOD, PROMPT, Asking, Choice

# What the allowance ends


def test_an_answer_may_be_as_long_as_the_tokens_that_are_left(wire: Wire, asking: Asking) -> None:
    asking.answer(wire.by_tool(GOOD), allowance=CallLimit(tokens=1000))
    most = wire.most_tokens(asking.server.requests[0])
    assert most is not None
    assert 880 <= most <= 960


def test_an_answer_that_was_cut_off_for_the_allowance_says_so(wire: Wire, asking: Asking) -> None:
    assert asking.error(wire.cut_off('{"tab'), allowance=CallLimit(tokens=1000)).code == "limit"


def test_no_request_is_sent_beyond_the_tokens_or_calls_that_are_allowed(
    wire: Wire, asking: Asking
) -> None:
    bad = wire.by_text("Hm.", usage=(600, 0, 100))
    error = asking.error(bad, allowance=CallLimit(tokens=1000))
    assert (error.code, error.usage.tokens) == ("limit", 700)
    error = asking.error(bad, allowance=CallLimit(calls=1))
    assert (error.code, error.usage.calls) == ("limit", 1)
    assert asking.error(allowance=CallLimit(tokens=200)).usage.calls == 0


# Several threads


def test_several_threads_ask_one_model_at_once(wire: Wire, asking: Asking) -> None:
    asking.server.replies = [wire.by_tool(GOOD, usage=(100, 0, 10))] * 8
    # Each request is answered only when four are there.
    asking.server.meeting = threading.Barrier(4)
    ledger = CostTracker()
    step = ModelSession(asking.model, ledger, max_concurrent_calls=4).at("grounding")
    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(step.complete, PROMPT, Choice) for _ in range(8)]
        assert [call.result(timeout=30).answer.confidence for call in calls] == [0.75] * 8
    assert asking.server.most_at_once == 4
    assert (ledger.total.calls, ledger.total.tokens) == (8, 880)


def test_a_thread_that_has_an_event_loop_of_its_own_may_ask(wire: Wire, asking: Asking) -> None:
    async def in_a_notebook() -> float:
        return asking.answer(wire.by_tool(GOOD)).answer.confidence

    assert asyncio.run(in_a_notebook()) == 0.75


def test_a_model_that_was_closed_opens_again(wire: Wire, asking: Asking) -> None:
    asking.answer(wire.by_tool(GOOD))
    asking.model.close()
    asking.model.close()
    assert asking.answer(wire.by_tool(GOOD)).answer.confidence == 0.75


def test_closing_a_model_ends_the_wait_of_those_who_ask(
    open_asking: Callable[..., Asking], server: ModelServer
) -> None:
    asking = open_asking(OpenAI())
    asking.server.replies = [Reply({}, is_silent=True)]
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(asking.model.complete, PROMPT, Choice)
        while not server.requests:
            threading.Event().wait(0.01)
        asking.model.close()
        assert isinstance(waiting.exception(timeout=20), CancelledError)
