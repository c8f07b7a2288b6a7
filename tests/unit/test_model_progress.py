"""Display of a pending model call."""

import pytest

from linker.cli.progress import line_of
from linker.linking.trace import Trace, listen_to_replies
from linker.models import ReplyLength


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (ReplyLength(), "decision: waits for ollama:qwen3"),
        (ReplyLength(thought=1200), "decision: ollama:qwen3 reasons, 1,200 characters"),
        (ReplyLength(thought=1200, written=40), "decision: ollama:qwen3 writes, 40 characters"),
    ],
)
def test_the_line_says_what_the_model_of_a_step_is_at(reply: ReplyLength, line: str) -> None:
    assert line_of("decision", "ollama:qwen3", reply) == line


def test_who_listens_hears_the_steps_of_runs_that_begin_meanwhile_from_whichever_thread() -> None:
    lines: list[str] = []
    with listen_to_replies(lambda *said: lines.append(line_of(*said))):
        trace = Trace("how many?")
    Trace("another").hear("decision", "openai:a", ReplyLength())
    trace.hear("hypotheses", "openai:a", ReplyLength(written=3))
    assert lines == ["hypotheses: openai:a writes, 3 characters"]
