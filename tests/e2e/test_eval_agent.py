"""`linker eval agent` with a rule-based MCP agent on the demo."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Run

AGENT = Path(__file__).with_name("scripted_agent.py")
QUESTIONS = """
- id: carriers
  question: How many carriers are there?
  gold_sql: select count(*) from logistics.carriers
- id: crash
  question: How many carriers crash?
  gold_sql: select count(*) from logistics.carriers
- id: lost
  question: How many carriers are lost?
  gold_sql: select count(*) from logistics.carriers
- id: heights
  question: How tall are they?
  answerable: false
"""


def test_an_agent_is_judged_with_and_without_linker(
    demo: object, linker_command: Run, linker_folder: Path, tmp_path: Path
) -> None:
    assert demo
    root, out = tmp_path / "golden.yml", tmp_path / "out"
    root.write_text(QUESTIONS)
    command = f"{sys.executable} {AGENT} {{prompt_file}} {{mcp_config}}"
    words = ["--target", "demo", "--root", str(root), "--format", "json", "--command", command]
    words += ["--time-limit", "240", "--workers", "2", "--out", str(out)]
    done = linker_command("eval", "agent", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    answers = {(item["question_id"], item["arm"]): item for item in report["answers"]}
    # A question without an answer is no question for an agent that writes SQL.
    assert {name for name, _ in answers} == {"carriers", "crash", "lost"}
    right = answers["carriers", "with linker"]
    assert (right["verdict"], right["tokens"], right["calls"]) == ("right", 100, 1)
    assert right["sql"] == "select count(*) from logistics.carriers"
    wrong = answers["carriers", "without linker"]
    assert (wrong["verdict"], wrong["calls"], wrong["error"]) == ("wrong", 1, "")
    assert right["characters"] > wrong["characters"] > 0
    # DuckDB bills nothing.
    assert right["bytes_read"] is None
    crash = answers["crash", "with linker"]
    assert crash["error"] == "the agent ended with code 1: it crashed"
    assert crash["verdict"] == "none written"
    lost = answers["lost", "with linker"]
    assert lost["verdict"] == "failed"
    assert "lost.table" in lost["error"]
    first, second = report["summaries"]
    assert (first["arm"], first["questions"]) == ("with linker", 3)
    assert (first["right"], first["failed"]) == (1, 2)
    assert (second["arm"], second["right"], second["accuracy"]) == ("without linker", 0, 0.0)
    kept = {path.name for path in (out / "carriers-with-linker").iterdir()}
    assert kept == {"prompt.txt", "stdout", "stderr", "calls.jsonl"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--command", "agent {prompt}"], "--command has no {mcp_config}"),
        (["--command", "agent '{mcp_config}"], "--command cannot be read"),
    ],
)
def test_a_command_that_cannot_work_is_refused(
    demo: object, linker_command: Run, tmp_path: Path, words: list[str], said: str
) -> None:
    assert demo
    root = tmp_path / "golden.yml"
    root.write_text(QUESTIONS)
    done = linker_command("eval", "agent", "--target", "demo", "--root", str(root), *words)
    assert done.returncode == 2
    assert said in done.stderr
