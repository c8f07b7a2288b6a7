"""
Gets the demo ready: builds the warehouse and lets dbt profile it, unless that was done before.

What was done is remembered by a digest of everything that it depends on, written after the work is
whole.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from linker.config.installed import dbt_project_files
from linker.config.target import DEMO, Target
from linker.dbt.invocation import DbtTarget
from linker.dbt.profiling import OnPhase, OnProgress, profile_warehouse
from linker.demo.warehouse import DEFAULT_SEED, WarehouseSummary, build_warehouse, render_schemas
from linker.files import state_folder, write_whole
from linker.types import Record, as_dict


class DemoState(Record, frozen=True):
    """Places of the demo in a state folder."""

    state_dir: Path

    @property
    def warehouse(self) -> Path:
        """The DuckDB file."""
        return self.state_dir / "demo" / "warehouse.duckdb"

    @property
    def marker(self) -> Path:
        """File that says what was built, as JSON."""
        return self.state_dir / "demo" / "built.json"


def prepare_warehouse(state: DemoState, *, scale: float) -> tuple[WarehouseSummary, bool]:
    """The warehouse, and whether it had to be built."""
    digest = _digest(sql for _, sql in render_schemas(scale=scale, seed=DEFAULT_SEED))
    marker = _read_marker(state)
    if marker.get("warehouse") == digest and state.warehouse.is_file():
        return WarehouseSummary(**marker["summary"]), False
    state_folder(state.state_dir, "demo")
    state.marker.unlink(missing_ok=True)
    summary = build_warehouse(state.warehouse, scale=scale)
    _write_marker(state, {"warehouse": digest, "summary": as_dict(summary)})
    return summary, True


def prepare_artifacts(
    state: DemoState, target: Target, on_progress: OnProgress, on_phase: OnPhase
) -> bool:
    """The artifacts of the demo; whether dbt had to run."""
    marker = _read_marker(state)
    digest = _digest(
        [str(marker.get("warehouse")), *(file.read_text("utf-8") for file in dbt_project_files())]
    )
    if marker.get("artifacts") == digest:
        return False
    profile_warehouse(
        DbtTarget(target.profiles_dir, target.profile, DEMO, state.state_dir),
        on_progress,
        on_phase=on_phase,
    )
    _write_marker(state, {**marker, "artifacts": digest})
    return True


def _digest(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
    return digest.hexdigest()


def _read_marker(state: DemoState) -> dict[str, Any]:
    try:
        marker = json.loads(state.marker.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return marker if isinstance(marker, dict) else {}


def _write_marker(state: DemoState, marker: dict[str, Any]) -> None:
    write_whole(state.marker, json.dumps(marker))
