"""What changed between two runs, for programs: enters a comparison, leaves the record of docs/history.md."""

import json
from dataclasses import asdict
from typing import Any

from linker.history.comparison import WarehouseDiff
from linker.history.diff import ColumnChange, TableChange
from linker.history.drift import MeasureChange
from linker.render.run import run_record
from linker.runs import ColumnState, TableState
from linker.text.safe import escaped

# What the JSON says changes with this number alone; fields may be added to it.
VERSION = 1


def render_changes_json(comparison: WarehouseDiff) -> str:
    """The whole comparison."""
    record = {
        "version": VERSION,
        "target": comparison.target,
        "before": run_record(comparison.before),
        "after": run_record(comparison.after),
        "thresholds": asdict(comparison.thresholds),
        "unchanged_tables": comparison.unchanged,
        "tables": [_table(change) for change in comparison.tables],
    }
    return escaped(json.dumps(record, ensure_ascii=False, indent=2))


def _table(change: TableChange) -> dict[str, Any]:
    return {
        "schema": change.table.schema,
        "table": change.table.name,
        "change": change.kind,
        "row_count": {"before": _rows(change.before), "after": _rows(change.after)},
        "row_count_changed": change.has_other_row_count,
        "columns": [_column(column) for column in change.columns],
    }


def _rows(state: TableState | None) -> int | None:
    return state.row_count if state else None


def _column(change: ColumnChange) -> dict[str, Any]:
    return {
        "column": change.path,
        "change": change.kind,
        "renamed_from": change.before.path if change.kind == "renamed" and change.before else None,
        "data_type": {"before": _type(change.before), "after": _type(change.after)},
        "changes": [_change(one) for one in change.changes],
    }


def _type(state: ColumnState | None) -> str | None:
    return state.data_type if state else None


def _change(change: MeasureChange) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": change.kind, "before": change.before, "after": change.after, "size": change.size}
    if change.kind == "values":
        shares = [{"value": value, "before": was, "after": now} for value, was, now in change.shares]
        record |= {
            "new_values": list(change.new_values),
            "gone_values": list(change.gone_values),
            "shares": shares,
        }
    return record
