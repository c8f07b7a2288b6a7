import asyncio
from concurrent.futures import CancelledError, ThreadPoolExecutor
from threading import Event

from linker.models.pydantic_ai.model import EventLoop


def test_who_waits_is_told_before_what_the_answer_comes_through_is_closed() -> None:
    loop, is_waiting, happened = EventLoop("test"), Event(), list[str]()

    async def wait() -> None:
        is_waiting.set()
        try:
            await asyncio.sleep(60)
        finally:
            happened.append("told")

    async def let_go() -> None:
        happened.append("closed")

    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(lambda: loop.run(wait()))
        assert is_waiting.wait(20)
        loop.close(let_go)
        assert isinstance(waiting.exception(timeout=20), CancelledError)
    assert happened == ["told", "closed"]
    assert not loop.is_running
