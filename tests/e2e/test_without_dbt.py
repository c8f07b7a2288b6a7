"""`linker ask`, `serve` and `mcp` work without dbt installed."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.e2e.agents import called, text
from tests.e2e.conftest import Run
from tests.e2e.serving import COMMAND, serving

QUESTION = "Which carrier delivers late most often?"
# Python runs it when it starts, in each process of a command.
NO_DBT = """
import sys

class NoDbt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("dbt", "dbt_common", "dbt_adapters"):
            raise ModuleNotFoundError(f"no {name} here", name=name)

sys.meta_path.insert(0, NoDbt())
"""


@pytest.fixture
def variables(tmp_path: Path, demo: "subprocess.CompletedProcess[str]") -> dict[str, str]:
    """Those of a process in which dbt cannot be imported."""
    assert demo.returncode == 0, demo.stderr
    (tmp_path / "sitecustomize.py").write_text(NO_DBT)
    return {"PYTHONPATH": str(tmp_path)}


def test_dbt_cannot_be_imported_there(variables: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import dbt.cli.main"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no dbt here" in done.stderr


def test_a_question_is_answered(variables: dict[str, str], linker_command: Run) -> None:
    done = linker_command("ask", "--target", "demo", QUESTION, **variables)
    assert done.returncode == 0, done.stderr
    assert "logistics.carriers" in done.stdout


def test_the_server_shows_pages_and_answers_programs(
    variables: dict[str, str], linker_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", variables["PYTHONPATH"])
    with (
        serving(linker_folder, "serve", "--target", "demo") as address,
        httpx.Client(base_url=address, timeout=60) as asking,
    ):
        page = asking.get("/tables/logistics/carriers.html")
        answer = asking.get("/api/ask", params={"question": QUESTION})
    assert page.status_code == 200, page.text
    assert answer.status_code == 200, answer.text
    assert "logistics.carriers" in answer.text


def test_the_tools_of_agents_find_and_probe(variables: dict[str, str], linker_folder: Path) -> None:
    parameters = StdioServerParameters(
        command=COMMAND,
        args=["mcp", "--target", "demo"],
        cwd=linker_folder,
        env={**os.environ, "HOME": str(linker_folder), **variables},
    )
    found, probed = called(
        lambda: Client(stdio_client(parameters)),
        ("search_schema", {"questions": [QUESTION]}),
        ("run_query", {"statements": ["select count(*) as n from logistics.carriers"]}),
    )
    assert "logistics.carriers" in text(found)
    assert text(probed).splitlines()[1:] == ["6"]
