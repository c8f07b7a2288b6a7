"""A failing language model: there is still an answer, marked as partial."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner, Result

from linker.cli import main
from linker.serve.api import OPERATIONS, openapi
from tests.contract.model_server import ModelServer, Reply, serve_model
from tests.contract.model_wires import OpenAI

DOCS = Path(__file__).resolve().parents[2] / "docs"
QUESTION = "How many tickets were opened in 2025 by channel?"
AT_ONCE = {"retry-after": "0"}
FAILURES = {
    "429": Reply({"error": {"message": "slow down"}}, 429, AT_ONCE),
    "500": Reply({"error": {"message": "out of order"}}, 500, AT_ONCE),
    "nonsense": OpenAI().by_text("The answer is forty-two."),
    "no such tables": OpenAI().by_tool(
        {"hypotheses": [{"summary": "s", "tables": [{"table": "no.such", "columns": ["x"]}]}]}
    ),
}


@pytest.fixture(autouse=True)
def in_demo(
    demo: subprocess.CompletedProcess[str], linker_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert demo.returncode == 0
    monkeypatch.chdir(linker_folder)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve_model() as running:
        yield running


def run(server: ModelServer, *words: str) -> Result:
    environment = {"LINKER_MODEL": "openai:m", "LINKER_MODEL_BASE_URL": server.url + "/v1"}
    return CliRunner(env=environment).invoke(main, [*words, "--target", "demo", QUESTION])


@pytest.mark.parametrize("failure", FAILURES)
def test_an_answer_without_its_model_says_so_to_programs(failure: str, server: ModelServer) -> None:
    server.replies = [FAILURES[failure]] * 20
    done = run(server, "ask", "--format", "json")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["degraded"]) == (0, True)
    assert answer["degraded_because"]
    assert set(answer["degraded_because"]) <= set(answer["warnings"])
    assert answer["tables"]
    jsonschema.validate(answer, json.loads((DOCS / "answer.schema.json").read_text("utf-8")))
    server.replies = [FAILURES[failure]] * 20
    strict = run(server, "ask", "--format", "json", "--strict")
    assert strict.exit_code == 4
    assert json.loads(strict.stdout)["tables"] == answer["tables"]


def test_so_does_an_answer_in_sql(server: ModelServer) -> None:
    for words in (("sql",), ("ask", "--sql")):
        server.replies = [FAILURES["429"]] * 40
        done = run(server, *words, "--format", "json")
        answer = json.loads(done.stdout)
        assert (done.exit_code, answer["outcome"], answer["degraded"]) == (3, "failed", True)
        assert any("candidates are missing" in reason for reason in answer["degraded_because"])
        schema = json.loads((DOCS / "sql-answer.schema.json").read_text("utf-8"))
        jsonschema.validate(answer, schema)
        server.replies = [FAILURES["429"]] * 40
        assert run(server, *words, "--strict").exit_code == 4


def test_a_whole_answer_is_not_degraded(server: ModelServer) -> None:
    for words in (("ask",), ("ask", "--strategy", "shortlist")):
        server.replies = [
            OpenAI().by_tool(
                {
                    "hypotheses": [
                        {
                            "summary": "tickets by channel",
                            "tables": [
                                {"table": "support.tickets", "columns": ["channel", "opened_at"]}
                            ],
                        }
                    ]
                }
            )
        ] * 5
        done = run(server, *words, "--format", "json", "--strict")
        answer = json.loads(done.stdout)
        assert (done.exit_code, answer["degraded"], answer["degraded_because"]) == (0, False, [])


def test_the_api_describes_it() -> None:
    schemas = openapi(OPERATIONS)["components"]["schemas"]
    for document in ("AnswerRecord", "SqlRecord"):
        assert schemas[document]["properties"]["degraded"]["type"] == "boolean"
        assert "degraded" in schemas[document]["required"]
