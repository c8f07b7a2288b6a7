"""The GitHub Actions example: schema, and its script with every exit code."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.examples.stand_in import stand_in


@pytest.fixture
def workflow(checkout: Path) -> Path:
    return checkout / "examples" / "github-actions" / "linker-refresh.yml"


def checked(workflow: Path) -> int:
    check = str(Path(sys.executable).with_name("check-jsonschema"))
    command = [check, "--builtin-schema", "vendor.github-workflows", str(workflow)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_the_workflow_is_one_by_the_schema_of_workflows(workflow: Path, tmp_path: Path) -> None:
    assert checked(workflow) == 0
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(workflow.read_text("utf-8").replace("runs-on:", "runs-at:"), "utf-8")
    assert checked(wrong) == 1


@pytest.mark.parametrize(
    ("code", "ends_with", "noted"),
    [
        (0, 0, []),
        (1, 1, ["::error::some tables could not be read; the rest is current"]),
        (2, 2, ["::error::the refresh failed; the index is as it was"]),
        (4, 0, ["::notice::another refresh is at work"]),
    ],
)
def test_the_step_that_refreshes_ends_as_the_refresh_did_and_notes_why(
    workflow: Path, tmp_path: Path, code: int, ends_with: int, noted: list[str]
) -> None:
    steps: list[dict[str, Any]] = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]["refresh"][
        "steps"
    ]
    [step] = [step for step in steps if step.get("name") == "Refresh"]
    stand_in(tmp_path, code)
    variables = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "FULL": "--full",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    # As GitHub runs a step of its default shell on Linux.
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (
        ends_with,
        ["the run", *noted],
        "the log\n",
    )
    assert (tmp_path / "summary.md").read_text("utf-8") == "the run\n"
    assert (tmp_path / "called").read_text("utf-8") == "refresh --full --log-format json\n"
