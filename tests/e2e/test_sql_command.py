"""`linker sql` on the demo without a model and with a failing one: output and exit codes."""

import json
import subprocess
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner, Result

from linker.cli import main
from tests.contract.model_server import serve_model
from tests.contract.model_wires import OpenAI
from tests.messages import messages

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "sql-answer.schema.json"
QUESTION = "How many tickets were opened in 2025 by channel?"
NEEDS_MODEL = "SQL needs a language model, and none is configured: set `--model PROVIDER:NAME`"


@pytest.fixture(autouse=True)
def in_demo(
    demo: subprocess.CompletedProcess[str], linker_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo's folder as the working directory."""
    assert demo.returncode == 0
    monkeypatch.chdir(linker_folder)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize("command", [("sql",), ("sql", "--dry-run"), ("ask", "--sql")])
def test_without_a_model_people_see_the_linked_schema_and_that_a_model_is_needed(
    command: tuple[str, ...],
) -> None:
    done = run(*command, "--target", "demo", QUESTION)
    assert done.exit_code == 3
    assert "support.tickets " in done.stdout
    assert "estimated completeness " in done.stdout
    assert NEEDS_MODEL not in done.stdout
    assert done.stderr.count(NEEDS_MODEL) == 1


def test_without_a_model_programs_get_the_reason_and_no_statement() -> None:
    done = run("sql", "--target", "demo", "--format", "json", QUESTION)
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, json.loads(SCHEMA.read_text("utf-8")))
    assert (done.exit_code, answer["outcome"], answer["sql"], answer["result"]) == (
        3,
        "needs_model",
        None,
        None,
    )
    assert NEEDS_MODEL in answer["missing"]
    assert NEEDS_MODEL in done.stderr


def test_without_a_model_a_pipe_gets_nothing() -> None:
    done = run("sql", "--target", "demo", "--format", "sql", QUESTION)
    assert (done.exit_code, done.stdout) == (3, "")
    assert NEEDS_MODEL in done.stderr


def test_a_pipe_gets_nothing_where_the_warehouse_lacks_what_is_asked_for_and_stderr_says_what() -> (
    None
):
    done = run("sql", "--target", "demo", "--format", "sql", "asdf qwer")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "no table, column or value matches “asdf qwer”" in done.stderr


@pytest.mark.parametrize("form", ["table", "json"])
def test_the_trace_of_an_answer_that_needs_a_model_gives_it_again(form: str) -> None:
    first = run("sql", "--target", "demo", "--format", form, QUESTION)
    again = run("trace", "replay", "--format", form)
    assert (again.exit_code, again.stdout) == (3, first.stdout)
    assert messages(again.stderr) == messages(first.stderr)
    shown = run("trace", "show")
    assert shown.exit_code == 0
    assert "needs_model" in shown.stdout
    assert "SQL needs a language model" in shown.stdout


def test_a_model_whose_statements_are_refused_gives_no_answer_and_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wire = OpenAI()
    monkeypatch.setenv("LINKER_STRATEGY", "shortlist")
    with serve_model() as server:
        # The statement, and each of its five corrections.
        server.replies += [wire.by_tool({"sql": "delete from support.tickets"})] * 6
        monkeypatch.setenv("LINKER_MODEL_BASE_URL", server.url + wire.base_path)
        done = run("sql", "--target", "demo", "--model", wire.name, "--candidates", "1", QUESTION)
    assert done.exit_code == 3
    assert "no answer" in done.stdout
    assert "the language model gave no statement that runs: refused (not_a_query)" in done.stdout
    again = run("trace", "replay")
    assert (again.exit_code, again.stdout) == (3, done.stdout)
