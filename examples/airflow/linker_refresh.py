"""
An Airflow DAG of plain operators that refreshes the index of dbt-linker.

linker has its own environment, as dependencies of Airflow and dbt conflict; SHOP_LINKER is its
command. SHOP_PROJECT is the folder with linker.yml (and profiles.yml, if it is there).
"""

import os
import subprocess
from datetime import UTC, datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowSkipException

LINKER = os.environ.get("SHOP_LINKER", "/opt/linker/bin/linker")
PROJECT = os.environ.get("SHOP_PROJECT", "/srv/shop")


def refresh() -> None:
    """Run the refresh and map its exit code to a task state."""
    code = subprocess.run([LINKER, "refresh"], cwd=PROJECT, check=False).returncode
    if code == 4:
        raise AirflowSkipException("another refresh is at work")
    if code == 1:
        # A retry does not help: check the tables named in the log.
        raise AirflowFailException("some tables could not be read; the rest is current")
    if code:
        raise AirflowException(f"the refresh ended with exit code {code}; the index is as it was")


with DAG(
    "linker_refresh",
    schedule="17 */6 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args={
        "retries": 3,
        "retry_delay": timedelta(minutes=5),
        "retry_exponential_backoff": True,
    },
    tags=["linker"],
):
    refreshed = PythonOperator(task_id="refresh", python_callable=refresh)
    # The current state, in the task's log.
    status = BashOperator(
        task_id="status", bash_command=f"{LINKER} status", cwd=PROJECT, append_env=True
    )
    refreshed >> status
