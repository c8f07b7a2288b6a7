"""Admission of concurrent requests."""

from threading import Event

import anyio
import pytest

from linker.cancellation import current_cancellation
from linker.errors import CallerGoneError, ServerBusyError, WarehouseError
from linker.serve.session import Capacity, RequestQueues

SECONDS = 30


def make_turns(at_work: int = 1, waiting: int = 1) -> RequestQueues:
    capacity = Capacity(at_work, waiting)
    return RequestQueues({"read": capacity, "link": capacity, "probe": capacity})


def wait_for_end() -> None:
    """Work that goes on until it is cancelled."""
    ended = Event()
    with current_cancellation().ending(ended.set):
        assert ended.wait(SECONDS)
    current_cancellation().check()


def test_one_too_many_is_told_to_come_again_and_the_others_are_answered() -> None:
    async def scenario() -> list[object]:
        turns, begun, may_end = make_turns(), Event(), Event()
        outcomes: list[object] = []

        def work() -> str:
            begun.set()
            assert may_end.wait(SECONDS)
            return "answered"

        async def ask() -> None:
            outcomes.append(await turns.run("link", work, anyio.sleep_forever))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.to_thread.run_sync(begun.wait)
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(ServerBusyError) as refused:
                turns.check("link")
            outcomes.append(refused.value.retry_seconds)
            # Another kind has turns of its own.
            outcomes.append(await turns.run("read", lambda: "read", anyio.sleep_forever))
            may_end.set()
        return outcomes

    assert anyio.run(scenario) == [5, "read", "answered", "answered"]


def test_work_ends_where_its_caller_is_gone() -> None:
    async def scenario() -> None:
        turns = make_turns()
        with pytest.raises(CallerGoneError):
            await turns.run("probe", wait_for_end, anyio.lowlevel.checkpoint)
        assert await turns.run("probe", lambda: "next", anyio.sleep_forever) == "next"

    anyio.run(scenario)


def test_work_ends_where_its_call_is_cancelled_also_while_it_waits_for_its_turn() -> None:
    async def scenario() -> str:
        turns = make_turns(waiting=2)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(turns.run, "probe", wait_for_end, anyio.sleep_forever)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        return await turns.run("probe", lambda: "next", anyio.sleep_forever)

    assert anyio.run(scenario) == "next"


@pytest.mark.parametrize("error", [WarehouseError("refused", hint="ask"), ZeroDivisionError()])
def test_what_work_raises_is_raised_alone(error: Exception) -> None:
    def fail() -> None:
        raise error

    async def scenario() -> None:
        await make_turns().run("read", fail, anyio.sleep_forever)

    with pytest.raises(type(error)) as caught:
        anyio.run(scenario)
    assert caught.value is error
