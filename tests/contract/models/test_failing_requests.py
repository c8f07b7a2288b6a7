"""Requests that a server rejects, delays, drops or does not understand."""

import gzip
import json
import time
import traceback
from collections.abc import Callable

import pytest

from linker.budget import CallLimit
from linker.errors import ModelError
from linker.models.pydantic_ai.model import PydanticAIModel
from linker.types import Usage
from tests.contract.model_server import Reply
from tests.contract.model_wires import OpenAI, Wire
from tests.contract.models.scripted_provider import GOOD, KEY, PROMPT, Asking, Choice


def test_a_context_that_is_too_long_is_told_at_once(wire: Wire, asking: Asking) -> None:
    error = asking.error(wire.too_long)
    assert error.code == "too_long"
    assert error.usage == Usage(0, 0, 0, calls=1)
    assert asking.pauses == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_told_at_once_without_showing_it(
    wire: Wire, asking: Asking, status: int
) -> None:
    error = asking.error(wire.error(status, f"Incorrect API key provided: {KEY}"))
    assert error.code == "unauthorized"
    assert f"HTTP {status}" in error.what


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [(400, "temperature is out of range", "rejected"), (404, "no such model", "not_found")],
)
def test_what_the_server_objects_to_is_told_at_once_in_its_words(
    wire: Wire, asking: Asking, status: int, message: str, code: str
) -> None:
    error = asking.error(wire.error(status, message))
    assert error.code == code
    assert f"HTTP {status}" in error.what
    assert message in error.what


def test_a_key_in_the_words_of_a_server_is_left_out(wire: Wire, asking: Asking) -> None:
    error = asking.error(
        wire.error(400, f"bad header Bearer {KEY} of AIzaSyA-0123456789, sk-ant-abcdefgh12345")
    )
    assert "bad header … of …, …" in error.what


@pytest.mark.parametrize(("asked", "seconds"), [("0", 0), ("7", 7)])
def test_a_rate_limit_waits_as_long_as_the_server_asks(
    wire: Wire, asking: Asking, asked: str, seconds: float
) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": asked})
    assert asking.answer(busy, wire.by_tool(GOOD)).usage.calls == 2
    assert asking.pauses == [seconds]


def test_a_rate_limit_that_stays_is_told_after_three_requests(wire: Wire, asking: Asking) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": "1"})
    error = asking.error(busy, busy, busy)
    assert error.code == "rate_limited"
    assert error.usage.calls == 3
    assert asking.pauses == [1, 1]


def test_a_rate_limit_that_asks_for_more_time_than_there_is_is_told_at_once(
    wire: Wire, asking: Asking
) -> None:
    busy = wire.error(429, "too many requests", {"retry-after": "60"})
    assert asking.error(busy, allowance=CallLimit(seconds=30)).code == "rate_limited"
    assert asking.pauses == []


def test_credit_that_is_used_up_is_no_rate_limit(open_asking: Callable[..., Asking]) -> None:
    body = {
        "error": {
            "message": "You exceeded your quota.",
            "type": "insufficient_quota",
            "code": "insufficient_quota",
        }
    }
    assert open_asking(OpenAI()).error(Reply(body, 429)).code == "quota"


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_an_error_of_the_server_is_tried_again_with_longer_pauses(
    wire: Wire, asking: Asking, status: int
) -> None:
    broken = wire.error(status, "internal")
    assert asking.answer(broken, broken, wire.by_tool(GOOD)).usage.calls == 3
    assert asking.pauses == [1, 2]


def test_an_error_of_the_server_that_stays_is_unavailable(wire: Wire, asking: Asking) -> None:
    broken = wire.error(500, "out of memory")
    error = asking.error(broken, broken, broken)
    assert error.code == "unavailable"
    assert "out of memory" in error.what
    assert error.usage == Usage(0, 0, 0, calls=3)


def test_retries_are_counted_over_the_whole_answer(wire: Wire, asking: Asking) -> None:
    broken = wire.error(500, "out of memory")
    error = asking.error(broken, wire.by_text("Hm."), broken, broken)
    assert error.code == "unavailable"
    assert error.usage == Usage(120, 64, 30, calls=4)


def test_a_connection_dropped_in_mid_answer_is_tried_again_and_its_prompt_is_counted(
    wire: Wire, asking: Asking
) -> None:
    whole = wire.by_tool(GOOD, usage=(100, 0, 10))
    dropped = Reply(whole.body, is_dropped=True)
    usage = asking.answer(dropped, whole).usage
    assert usage.calls == 2
    # The estimated tokens of prompt and schema replace a missing count.
    assert 40 <= usage.prompt_tokens - 100 <= 120
    assert asking.error(dropped, dropped, dropped).code == "unavailable"


def test_a_server_that_does_not_answer_in_time_is_a_timeout(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire, request_seconds=0.2)
    error = asking.error(Reply({}, is_silent=True))
    assert error.code == "timeout"
    assert error.usage.calls == 1
    assert 40 <= error.usage.prompt_tokens <= 120


def test_the_time_that_is_allowed_ends_a_request(wire: Wire, asking: Asking) -> None:
    assert (
        asking.error(Reply({}, is_silent=True), allowance=CallLimit(seconds=0.2)).code == "timeout"
    )


def test_a_reply_that_comes_byte_by_byte_has_no_more_time_than_an_answer_may_take(
    wire: Wire, asking: Asking
) -> None:
    dripping = Reply(wire.by_tool(GOOD).body, is_dripping=True)
    assert asking.error(dripping, allowance=CallLimit(seconds=0.2)).code == "timeout"


def test_a_slow_reply_is_read_to_its_end_as_long_as_it_goes_on(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire, request_seconds=0.6)
    started = time.monotonic()
    assert asking.answer(Reply(wire.by_tool(GOOD).body, pause_seconds=0.35)).usage.calls == 1
    assert time.monotonic() - started > 0.6


def test_a_reply_that_stops_in_the_middle_is_a_timeout_and_its_prompt_is_counted(
    wire: Wire, open_asking: Callable[..., Asking]
) -> None:
    asking = open_asking(wire, request_seconds=0.2)
    error = asking.error(Reply(wire.by_tool(GOOD).body, pause_seconds=2))
    assert (error.code, error.usage.calls) == ("timeout", 1)
    assert 40 <= error.usage.prompt_tokens <= 120


def test_a_reply_is_read_to_a_limit_and_not_asked_for_again(wire: Wire, asking: Asking) -> None:
    error = asking.error(Reply(wire.by_text("so " * 2_000_000).body))
    assert error.code == "too_large"
    assert "larger than 4,194,304 bytes" in error.what
    assert 40 <= error.usage.prompt_tokens <= 120


def test_what_a_server_says_of_an_error_is_read_to_the_same_limit(
    wire: Wire, asking: Asking
) -> None:
    assert asking.error(wire.error(500, "so " * 2_000_000)).code == "too_large"


def test_a_long_reply_full_of_beginnings_is_read_in_a_moment(wire: Wire, asking: Asking) -> None:
    nested = wire.by_text('{"tables": [{"' * 70_000)
    started = time.monotonic()
    assert asking.error(nested, nested).code == "malformed"
    assert time.monotonic() - started < 20


def test_a_compressed_reply_is_refused_before_it_is_unpacked(wire: Wire, asking: Asking) -> None:
    packed = gzip.compress(json.dumps(wire.by_text("so " * 20_000_000).body).encode())
    error = asking.error(Reply(packed, headers={"content-encoding": "gzip"}))
    assert error.code == "too_large"
    assert "compressed" in error.what


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_refused_in_words_and_nothing_is_sent_there(
    wire: Wire, asking: Asking, status: int
) -> None:
    elsewhere = f"http://user:{KEY}@elsewhere.example/v1?key={KEY}"
    error = asking.error(Reply({}, status, {"location": elsewhere}))
    assert error.code == "rejected"
    assert f"redirects to elsewhere.example (HTTP {status}), which is not followed" in error.what
    assert "model_base_url" in error.hint
    assert len(asking.server.requests) == 1


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"", b"{}", b"[]"])
def test_a_body_that_is_no_completion_is_malformed_or_empty(
    wire: Wire, asking: Asking, body: bytes
) -> None:
    asking.server.replies = [Reply(body)] * 4
    with pytest.raises(ModelError, match=wire.name) as caught:
        asking.model.complete(PROMPT, Choice)
    assert caught.value.code in ("malformed", "empty", "unavailable")


def test_a_server_that_nobody_runs_is_unavailable(wire: Wire, closed_port: int) -> None:
    async def no_pause(_seconds: float) -> None: ...

    model = PydanticAIModel(
        wire.name, f"http://127.0.0.1:{closed_port}{wire.base_path}", sleep=no_pause
    )
    with pytest.raises(ModelError, match=wire.name) as caught:
        model.complete(PROMPT, Choice)
    model.close()
    assert caught.value.code == "unavailable"
    assert caught.value.usage == Usage(0, 0, 0, calls=3)
    assert KEY not in "".join(traceback.format_exception(caught.value))
