"""
Runs the dbt project that profiles the warehouse: enters a target, leaves artifacts in the warehouse.

dbt runs in a process of its own, so that it lets go of a DuckDB file before anything else opens it,
and its target and log folders lie in the state folder: the project itself may be read-only.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from linker.errors import LinkerError, WarehouseError
from linker.state import state_folder


def dbt_project_dir() -> Path:
    """The folder of the dbt project: inside the installed package, or the root of an editable checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "dbt", package.parent):
        if (folder / "dbt_project.yml").exists():
            return folder
    raise LinkerError(
        f"the dbt project is neither in {package / 'dbt'} nor in {package.parent}",
        hint="install dbt-linker again",
    )


def run_dbt(*, profiles_dir: Path, profile: str, target: str, state_dir: Path) -> int:
    """Run the models of the shipped project against the target; the number of models that were built."""
    dbt_dir = state_folder(state_dir, "dbt")
    command = [
        *(sys.executable, "-m", "dbt.cli.main", "--log-format", "json", "--no-send-anonymous-usage-stats"),
        *("--log-path", str(dbt_dir / "logs"), "run", "--target-path", str(dbt_dir / "target")),
        *("--project-dir", str(dbt_project_dir()), "--profiles-dir", str(profiles_dir.resolve())),
        *("--profile", profile, "--target", target),
    ]
    environment = {**os.environ, "LINKER_STATE_DIR": str(state_dir.resolve())}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)  # noqa: S603 - our own words
    events = _events(done.stdout)
    if done.returncode != 0:
        raise WarehouseError(
            _reason(events) or _last_line(done.stderr), hint=f"the whole log is {dbt_dir / 'logs' / 'dbt.log'}"
        )
    return sum(1 for event in events if event["info"]["name"] == "LogModelResult")


def _events(output: str) -> list[dict[str, Any]]:
    events = []
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "info" in event:
            events.append(event)
    return events


def _reason(events: list[dict[str, Any]]) -> str | None:
    """The first error that dbt reports, as one line."""
    for event in events:
        if event["info"].get("level") == "error":
            words = " ".join(str(event["info"]["msg"]).split())
            if words:
                return f"dbt failed: {words}"
    return None


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return f"dbt failed: {lines[-1]}" if lines else "dbt failed without a word"
