"""The DAGs of examples/airflow in Airflow with Cosmos."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.examples.stand_in import stand_in
from tests.schedulers.project import AIRFLOW, Project, run

READS = """
import json
from airflow.dag_processing.dagbag import DagBag
bag = DagBag(None)
tasks = {name: {one.task_id: sorted(one.downstream_task_ids) for one in dag.tasks} for name, dag in bag.dags.items()}
print("\\n" + json.dumps({"errors": bag.import_errors, "tasks": tasks}))
"""
REFRESHES = """
import linker_refresh
try:
    linker_refresh.refresh()
    print("\\nno exception")
except Exception as error:
    print("\\n" + type(error).__name__)
"""


@pytest.fixture(scope="module")
def in_airflow(
    project: Project, checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., str]:
    """Run a program of Airflow's environment, with a separate database."""
    home = tmp_path_factory.mktemp("airflow")
    variables = {
        **project.variables,
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(checkout / "examples" / "airflow"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        # Cosmos asks dbt what there is, which may take long on a busy machine.
        "AIRFLOW__CORE__DAGBAG_IMPORT_TIMEOUT": "600",
        "DO_NOT_TRACK": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def running(program: str, *words: str | Path, **more: str) -> str:
        return run([AIRFLOW / program, *words], home, {**variables, **more})

    running("airflow", "db", "migrate")
    return running


def test_airflow_reads_the_dags_without_an_error_and_finds_their_tasks_in_order(
    in_airflow: Callable[..., str],
) -> None:
    told: dict[str, Any] = json.loads(in_airflow("python", "-c", READS).splitlines()[-1])
    assert told["errors"] == {}
    assert told["tasks"] == {
        "linker_refresh": {"refresh": ["status"], "status": []},
        "shop_with_linker": {
            "models.orders_run": ["models.customers_run"],
            "models.customers_run": ["linker_profile"],
            "linker_profile": ["linker_index"],
            "linker_index": [],
        },
    }


@pytest.mark.parametrize(
    ("code", "raised"),
    [
        (0, "no exception"),
        (1, "AirflowFailException"),
        (2, "AirflowException"),
        (4, "AirflowSkipException"),
    ],
)
def test_how_a_refresh_ends_is_said_by_means_of_airflow(
    in_airflow: Callable[..., str], checkout: Path, tmp_path: Path, code: int, raised: str
) -> None:
    linker = str(stand_in(tmp_path, code))
    dags = str(checkout / "examples" / "airflow")
    told = in_airflow("python", "-c", REFRESHES, SHOP_LINKER=linker, PYTHONPATH=dags)
    assert told.splitlines()[-1] == raised


@pytest.mark.parametrize("dag", ["shop_with_linker", "linker_refresh"])
def test_the_dag_runs_to_its_end_and_leaves_an_index(
    in_airflow: Callable[..., str], project: Project, dag: str
) -> None:
    project.forget_the_index()
    in_airflow("airflow", "dags", "test", dag)
    # Three tables with two columns each: raw ones, and dbt's models of them.
    assert project.indexed() == 9
