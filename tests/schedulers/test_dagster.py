"""The definitions of examples/dagster in Dagster with dbt."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.schedulers.project import DAGSTER, Project, run

MATERIALIZES = """
import json, dagster, definitions
keys = sorted(key.to_user_string() for key in definitions.linker_profiles.keys)
job = definitions.defs.resolve_job_def("linker_refresh")
run = job.execute_in_process(instance=dagster.DagsterInstance.ephemeral())
made = [event.asset_key.to_user_string() for event in run.get_asset_materialization_events()]
print("\\n" + json.dumps({"keys": keys, "success": run.success, "made": made}))
"""
SHOWS = """
import json, definitions
print("\\n" + json.dumps(sorted(key.to_user_string() for key in definitions.linker_profiles.keys)))
"""


@pytest.fixture(scope="module")
def in_dagster(
    project: Project, checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., str]:
    """Run a program of Dagster's environment."""
    home = tmp_path_factory.mktemp("dagster")
    (home / "dagster.yaml").write_text("telemetry: {enabled: false}\n", "utf-8")
    variables = {
        **project.variables,
        "DAGSTER_HOME": str(home),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        # Its own dbt comes first.
        "PATH": f"{DAGSTER}:/usr/bin:/bin",
        "PYTHONPATH": str(checkout / "examples" / "dagster"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def running(program: str, *words: str | Path) -> str:
        return run([DAGSTER / program, *words], home, variables)

    return running


def test_dagster_takes_the_definitions_and_shows_the_schedule(
    in_dagster: Callable[..., str], checkout: Path
) -> None:
    file = checkout / "examples" / "dagster" / "definitions.py"
    # It ends well only where all that is defined is valid.
    in_dagster("dagster", "definitions", "validate", "-f", file)
    shown = in_dagster("dagster", "schedule", "list", "-f", file)
    assert "Schedule: nightly" in shown
    assert "Cron Schedule: 17 5 * * *" in shown


def test_the_assets_are_the_models_of_linker_and_no_others(
    in_dagster: Callable[..., str], checkout: Path
) -> None:
    keys = json.loads(in_dagster("python", "-c", SHOWS).splitlines()[-1])
    models = {path.stem for path in (checkout / "models").rglob("*.sql")}
    assert {key.rpartition("/")[2] for key in keys} <= models
    assert "linker_profile_l1" in {key.rpartition("/")[2] for key in keys}


def test_the_job_runs_to_its_end_and_leaves_an_index(
    in_dagster: Callable[..., str], project: Project
) -> None:
    project.forget_the_index()
    run(
        [Path(project.variables["SHOP_BIN"]) / "dbt", "run", "--select", "orders", "customers"],
        project.folder,
    )
    told: dict[str, Any] = json.loads(in_dagster("python", "-c", MATERIALIZES).splitlines()[-1])
    assert told["success"]
    assert set(told["made"]) == {*told["keys"], "linker_index"}
    assert project.indexed() == 9
