"""
Dagster: linker's models as dbt assets, and the index as an asset after them.

The dbt project in SHOP_PROJECT lists linker under `packages:`; `dbt deps` and `dbt parse` have run.
dbt and its adapter are installed with Dagster, which selects models with it; linker has its own
environment, and SHOP_LINKER is its command.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
from dagster_dbt import DbtCliResource, DbtProject, dbt_assets

LINKER = os.environ.get("SHOP_LINKER", "/opt/linker/bin/linker")
PROJECT = DbtProject(Path(os.environ.get("SHOP_PROJECT", "/srv/shop")))
PROJECT.prepare_if_dev()
ANOTHER_IS_AT_WORK = 4


@dbt_assets(manifest=PROJECT.manifest_path, select="package:linker")
def linker_profiles(context: dg.AssetExecutionContext, dbt: DbtCliResource) -> Iterator[Any]:
    """Profile tables of all tables and columns, built in the warehouse."""
    yield from dbt.cli(["run"], context=context).stream()


@dg.asset(
    deps=linker_profiles.keys,
    group_name="linker",
    retry_policy=dg.RetryPolicy(max_retries=3, delay=300, backoff=dg.Backoff.EXPONENTIAL),
)
def linker_index(context: dg.AssetExecutionContext) -> None:
    """The index that answers questions."""
    done = subprocess.run(
        [LINKER, "index"], cwd=PROJECT.project_dir, capture_output=True, text=True, check=False
    )
    context.log.info(done.stderr)
    if done.returncode == ANOTHER_IS_AT_WORK:
        raise dg.RetryRequested(max_retries=10, seconds_to_wait=60)
    if done.returncode:
        raise dg.Failure(f"linker index ended with exit code {done.returncode}: {done.stderr}")


nightly = dg.ScheduleDefinition(
    name="nightly",
    cron_schedule="17 5 * * *",
    job=dg.define_asset_job(
        "linker_refresh", selection=dg.AssetSelection.assets(linker_profiles, linker_index)
    ),
)
defs = dg.Definitions(
    assets=[linker_profiles, linker_index],
    schedules=[nightly],
    resources={"dbt": DbtCliResource(project_dir=PROJECT)},
)
