"""
Writes figures of measuring tests to `benchmarks/safety/NAME.json`, the source of docs/safety.md.
"""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

SAFETY = Path(__file__).resolve().parent.parent / "benchmarks" / "safety"
Cell = str | int | float


def keep_figures(
    name: str,
    title: str,
    *,
    command: str,
    note: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    keys: int = 1,
) -> None:
    """
    Put rows in the place of those with the same first cells; only where a make target asks for it.
    """
    if not os.environ.get("KEEP_FIGURES"):
        return
    file = SAFETY / f"{name}.json"
    before = json.loads(file.read_text("utf-8")) if file.exists() else {}
    kept = [row for row in before.get("rows", ()) if before.get("columns") == list(columns)]
    known = {tuple(map(str, row[:keys])): list(row) for row in (*kept, *rows)}
    figures = {
        "title": title,
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "note": note,
        "columns": list(columns),
        "rows": [known[first] for first in sorted(known)],
    }
    file.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")


def keep_loss(warehouse: str, away: str, refresh: str) -> None:
    """Record a refresh with a service down; profiles and index are compared with before."""
    keep_figures(
        "losses",
        "Refreshes of an unavailable warehouse, schema or grant",
        command="make test-losses",
        note="Snowflake and BigQuery are emulated; only the check before dbt ran there.",
        columns=["warehouse", "unavailable", "refresh", "profiles and index"],
        rows=[[warehouse, away, refresh, "unchanged"]],
        keys=2,
    )
