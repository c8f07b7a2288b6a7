"""
Replays the demo's questions from the recorded replies.

    python -m benchmarks.recorded_replies.demo

builds the demo at scale 0.05, replays what is recorded, and asks `LINKER_MODEL` for the rest.
Without that variable, questions whose prompts changed are recorded as lost.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.recorded_replies.__main__ import ReplayServer, serve
from benchmarks.recorded_replies.cassette import Cassette
from linker.config.settings import load_settings
from linker.evaluation import Prediction, QuestionOutcome
from linker.evaluation.preparing import prepare
from linker.evaluation.results import read_results
from linker.evaluation.running import RunOptions, run
from linker.evaluation.scoring import all_golds, score_file

CASSETTE, FIGURES = (Path(__file__).with_name(name) for name in ("demo.jsonl", "demo.json"))
SCALE = "0.05"
HOW = "record them anew with a language model: LINKER_MODEL=openai:NAME make cassette"
# None of them is answered in SQL by what day it is.
QUESTIONS = (
    "late-carriers",
    "applicants-by-department",
    "marketing-postings-q4",
    "fraud-hold-by-channel",
    "platinum-points",
    "certificate-of-origin",
    "kayaks-for-paddlers",
    "pickups-in-leipzig",
    "tickets-per-channel",
    "stock-on-hand",
    "revenue-2024",
    "instagram-followers",
    "conveyor-downtime",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """Outcome of a question; unanswerable ones have no completeness and no SQL verdict."""

    complete: bool | None
    columns: int
    calls: int
    refused: bool | None
    sql: str | None


@contextmanager
def served(replies: ReplayServer) -> Iterator[str]:
    """The address of a replay server for the time of the block."""
    server = serve(replies, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def replay(
    replies: ReplayServer, state_dir: Path, folder: Path, model: str = "any", workers: int = 1
) -> dict[str, Figures | None]:
    """Outcome by question; None if a prompt has no recorded reply."""
    with served(replies) as url:
        flags = {"state_dir": state_dir, "model": f"openai:{model}", "model_base_url": url}
        patience = {"model_timeout": 3500, "timeout": 9000, "max_tokens": 2_000_000}
        prepared = prepare("demo", None, load_settings({**flags, **patience}, {}))
        questions = [question for question in prepared.questions if question.id in QUESTIONS]
        path = folder / "evilink.jsonl"
        run(prepared, questions, RunOptions("evilink", with_sql=True, workers=workers), path)
    outcomes = {
        outcome.question.id: outcome
        for outcome in score_file(prepared, path, all_golds(prepared)).outcomes
    }
    answers = {answer.question_id: answer for answer in read_results(path).predictions}
    figures = {}
    for question in questions:
        is_lost = any(question.text in prompt for prompt in replies.unknown)
        found = answers[question.id], outcomes.get(question.id)
        figures[question.id] = None if is_lost else _figures(*found)
    return figures


def _figures(answer: Prediction, outcome: QuestionOutcome | None) -> Figures:
    judged = answer.judged
    return Figures(
        complete=outcome.score.columns.is_complete if outcome else None,
        columns=len(answer.columns),
        calls=answer.calls + (judged.calls if judged else 0),
        refused=answer.refused,
        sql=judged.verdict if judged else None,
    )


def read_figures() -> dict[str, Figures | None]:
    """Stored outcomes; None for lost questions."""
    written: Mapping[str, dict[str, object] | None] = json.loads(FIGURES.read_text("utf-8"))
    return {question: Figures(**found) if found else None for question, found in written.items()}  # type: ignore[arg-type]


def main() -> int:
    """Replay, record new replies, and write both files."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recorded_replies.demo", description=__doc__
    )
    parser.add_argument("--workers", type=int, default=4, help="questions at a time")
    workers = parser.parse_args().workers
    provider, _, model = os.environ.get("LINKER_MODEL", "").partition(":")
    if model and provider != "openai":
        sys.stderr.write(
            "LINKER_MODEL has to be openai:NAME, at OpenAI or at LINKER_MODEL_BASE_URL\n"
        )
        return 2
    upstream = os.environ.get("LINKER_MODEL_BASE_URL", "https://api.openai.com/v1") if model else ""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("linker")), "demo", "--scale", SCALE]
        others = {
            name: value for name, value in os.environ.items() if not name.startswith("LINKER_")
        }
        subprocess.run(command, cwd=folder, env=others, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ourselves
        replies = ReplayServer(Cassette(CASSETTE), upstream)
        found = replay(replies, Path(folder, ".linker"), Path(folder), model or "any", workers)
        replies.keep_used()
    lines = (
        f"  {json.dumps(name)}: {json.dumps(asdict(figures) if figures else None)}"
        for name, figures in found.items()
    )
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    lost = [name for name, figures in found.items() if figures is None]
    sys.stderr.write(f"{replies.played} replies played, {replies.recorded} recorded\n")
    if lost:
        sys.stderr.write(f"lost, for a prompt of theirs has no reply: {', '.join(lost)}; {HOW}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
