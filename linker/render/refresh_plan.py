"""What a refresh would do: enters scans and index, leaves a table for people or a record for programs."""

import json
from typing import Any

from linker.indexing import IndexPlan
from linker.profiling import PlannedTable, ProfileReport
from linker.render.answer_words import counted
from linker.render.run import VERSION
from linker.render.scan_plan import scan_plan
from linker.render.text import escaped


def refresh_plan(scans: ProfileReport, index: IndexPlan, *, form: str) -> str:
    """The scans and why, and what is known of the index before them."""
    if form == "json":
        return escaped(json.dumps(_record(scans, index), ensure_ascii=False, indent=2))
    return f"{scan_plan(scans)}\n{_of_index(index, sum(table.is_due for table in scans.tables))}"


def _of_index(index: IndexPlan, due: int) -> str:
    if index.in_step:
        now = f"the index is in step with the last profiles ({index.unchanged_count:,} documents)"
    else:
        now = f"the index is behind the last profiles: {index}"
    return f"{now}; of {counted(due, 'table')} the documents are compared anew" if due else now


def _record(scans: ProfileReport, index: IndexPlan) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tables": [_table(table) for table in scans.tables],
        "index": {
            "in_step": index.in_step,
            "to_embed": len(index.changed),
            "to_remove": len(index.gone),
            "unchanged": index.unchanged_count,
        },
    }


def _table(table: PlannedTable) -> dict[str, Any]:
    return {name: getattr(table, name) for name in PlannedTable.__dataclass_fields__}
