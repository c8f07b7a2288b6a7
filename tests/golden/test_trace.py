"""Trace pages as golden files: list, steps, prompts, replay."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from linker.budget import Cost
from linker.linking.assemble_result import replay
from linker.output import FORMATS, render
from linker.output.trace import TraceLine, render_json, render_list, render_trace
from tests import traces

Golden = Callable[[str, str], None]
STARTED = datetime(2025, 11, 21, 10, 15, tzinfo=UTC)
KEPT = TraceLine(
    traces.ID,
    STARTED,
    traces.QUESTION,
    "evilink",
    4,
    True,
    Cost(1, 3210, 1024, 210, 1, seconds=1.125),
)
LIST = [
    KEPT,
    replace(KEPT, id="20251121-101400-77ab01", is_answered=False, cost=Cost(seconds=0.5)),
    replace(KEPT, id="20251121-101300-aa0102", strategy="", columns=None),
]


def test_the_list_is_as_the_golden_file_shows_it(golden: Golden) -> None:
    golden("render/trace/list.txt", render_list(LIST, width=80, color=False))
    golden("render/trace/list.json", render_json(LIST))


@pytest.mark.parametrize("prompts", [False, True])
def test_the_steps_are_as_the_golden_file_shows_them(prompts: bool, golden: Golden) -> None:
    shown = render_trace(traces.record(), width=80, color=False, prompts=prompts)
    golden(f"render/trace/show{'_prompts' if prompts else ''}.txt", shown)


def test_a_run_that_did_not_come_to_an_end_is_shown_as_far_as_it_went(golden: Golden) -> None:
    golden(
        "render/trace/unfinished.txt",
        render_trace(traces.record(is_whole=False), width=80, color=False),
    )


@pytest.mark.parametrize("form", FORMATS)
def test_the_answer_of_a_trace_is_as_the_golden_file_shows_it(form: str, golden: Golden) -> None:
    golden(f"render/trace/replay_{form}.txt", render(replay(traces.record()), form, width=80))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("color", [False, True])
def test_a_trace_fits_its_width_and_steers_no_terminal(width: int, color: bool) -> None:
    shown = render_trace(traces.record("no table says it"), width=width, color=color, prompts=True)
    assert "\x1b[2J" not in shown
    if not color:
        assert max(cell_len(line) for line in shown.splitlines()) <= width
