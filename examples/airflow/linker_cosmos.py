"""
An Airflow DAG with Cosmos: a dbt project's models as tasks, linker's models as one task, then the
index.

The project lists linker under `packages:`, and `dbt deps` has run. linker's models have the tag
`linker` and are one task, as a single dbt run plans, scans and records; a task per model would
start dbt twenty times. dbt and linker share an environment whose `bin` folder is SHOP_BIN.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG
from cosmos import (
    DbtRunLocalOperator,
    DbtTaskGroup,
    ExecutionConfig,
    ProfileConfig,
    ProjectConfig,
    RenderConfig,
)
from cosmos.constants import InvocationMode, LoadMode

BIN = Path(os.environ.get("SHOP_BIN", "/opt/linker/bin"))
PROJECT = Path(os.environ.get("SHOP_PROJECT", "/srv/shop"))
PROFILE = ProfileConfig(
    profile_name=os.environ.get("SHOP_PROFILE", "shop"),
    target_name=os.environ.get("SHOP_TARGET", "dev"),
    profiles_yml_filepath=PROJECT / "profiles.yml",
)

with DAG(
    "shop_with_linker",
    schedule="17 5 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=5)},
    tags=["linker"],
):
    models = DbtTaskGroup(
        group_id="models",
        project_config=ProjectConfig(PROJECT, install_dbt_deps=False),
        profile_config=PROFILE,
        render_config=RenderConfig(
            exclude=["tag:linker"],
            load_method=LoadMode.DBT_LS,
            invocation_mode=InvocationMode.SUBPROCESS,
            dbt_executable_path=BIN / "dbt",
        ),
        execution_config=ExecutionConfig(
            invocation_mode=InvocationMode.SUBPROCESS, dbt_executable_path=BIN / "dbt"
        ),
    )
    profile = DbtRunLocalOperator(
        task_id="linker_profile",
        project_dir=str(PROJECT),
        profile_config=PROFILE,
        select=["tag:linker"],
        install_deps=False,
        invocation_mode=InvocationMode.SUBPROCESS,
        dbt_executable_path=str(BIN / "dbt"),
    )
    # Exit code 4, another run, is retried too: the new profiles are not indexed yet.
    index = BashOperator(
        task_id="linker_index",
        bash_command=f"{BIN}/linker index",
        cwd=str(PROJECT),
        append_env=True,
    )
    models >> profile >> index
