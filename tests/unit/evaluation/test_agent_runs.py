"""A run of an agent: its inputs, and its timeout."""

import json
import shlex
from pathlib import Path

import pytest

from linker.config.settings import Settings
from linker.evaluation import GoldenQuestion
from linker.evaluation.agents import AgentAnswer, AgentOptions, AgentRun, Arm

QUESTION = GoldenQuestion("q 1", "shop", "How many; $(rm x) {mcp_config}?", ("select 1",))


def answer_of(command: str, arm: Arm = "with linker", **options: object) -> AgentAnswer:
    given = AgentOptions(command, **options)  # type: ignore[arg-type]
    words = shlex.split(command)
    return AgentRun(Settings(target="prod"), given, words, "duckdb", QUESTION, arm).answer()


def test_a_question_is_one_argument_and_never_a_command(tmp_path: Path) -> None:
    script = 'printf "%s" "$1" > seen; cp "$2" config; echo "select 7"'
    command = f"sh -c {shlex.quote(f'cd {tmp_path}; {script}')} agent {{prompt}} {{mcp_config}}"
    answer = answer_of(command)
    assert (answer.sql, answer.error, answer.calls, answer.tokens) == ("select 7", "", 0, None)
    assert QUESTION.text in (tmp_path / "seen").read_text()
    [server] = json.loads((tmp_path / "config").read_text())["mcpServers"].values()
    words = server["args"]
    assert words[words.index("--target") + 1] == "prod"
    assert words[words.index("--hold-out") + 1] == QUESTION.text
    assert "--tool" not in words
    answer_of(command, "without linker")
    [server] = json.loads((tmp_path / "config").read_text())["mcpServers"].values()
    assert server["args"][-2:] == ["--tool", "run_query"]
    own = tmp_path / "own.json"
    own.write_text('{"mcpServers": {}}')
    answer = answer_of(command, "without linker", baseline_config=own)
    assert (tmp_path / "config").read_text() == own.read_text()
    # Not counted.
    assert answer.calls is None


def test_the_prompt_is_read_from_stdin_where_no_argument_takes_it(tmp_path: Path) -> None:
    answer = answer_of("sh -c 'cat > /dev/null; echo select 3' {mcp_config}", out=tmp_path)
    assert answer.sql == "select 3"
    kept = {path.name for path in (tmp_path / "q-1-with-linker").iterdir()}
    # The configuration may hold secrets.
    assert kept == {"prompt.txt", "stdout", "stderr"}


def test_an_agent_that_does_not_end_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    script = f"(sleep 2; touch {tmp_path}/late) & sleep 60"
    answer = answer_of(f"sh -c {shlex.quote(script)} {{mcp_config}}", time_limit=0.5)
    assert (answer.error, answer.sql) == ("the agent took longer than 0.5 s", "")
    assert answer.seconds < 30
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-agent {mcp_config}", "the agent cannot be started: No such file or directory"),
        (
            "sh -c 'echo select 1; echo no >&2; exit 4' {mcp_config}",
            "the agent ended with code 4: no",
        ),
    ],
)
def test_an_agent_that_fails_gives_no_statement(command: str, said: str) -> None:
    answer = answer_of(command)
    assert (answer.sql, answer.error) == ("", said)
