"""What a refresh would do: enter scans, index and sources, leaves a table for people or a record for programs."""

import json
from collections.abc import Sequence
from typing import Any

from linker.catalog.indexing import IndexPlan
from linker.dbt.profiling import PlannedTable, ProfileReport
from linker.learn.due import DueSource
from linker.render.run import VERSION
from linker.render.scan_plan import scan_plan
from linker.text.numbers import counted
from linker.text.safe import escaped, one_line


def refresh_plan(scans: ProfileReport, index: IndexPlan, sources: Sequence[DueSource], *, form: str) -> str:
    """The scans and why, what is known of the index before them, and what would be learned from."""
    if form == "json":
        return escaped(json.dumps(_record(scans, index, sources), ensure_ascii=False, indent=2))
    due = sum(table.is_due for table in scans.tables)
    return "\n".join([scan_plan(scans), _of_index(index, due), *map(_of_source, sources)])


def _of_source(source: DueSource) -> str:
    verb = "learns from" if source.made_of and source.is_due else "cannot learn from" if source.is_due else "leaves"
    return one_line(f"{verb} {source.name}: {source.reason}")


def _of_index(index: IndexPlan, due: int) -> str:
    if index.in_step:
        now = f"the index is in step with the last profiles ({index.unchanged_count:,} documents)"
    else:
        now = f"the index is behind the last profiles: {index}"
    return f"{now}; of {counted(due, 'table')} the documents are compared anew" if due else now


def _record(scans: ProfileReport, index: IndexPlan, sources: Sequence[DueSource]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tables": [_table(table) for table in scans.tables],
        "index": {
            "in_step": index.in_step,
            "to_embed": len(index.changed),
            "to_remove": len(index.gone),
            "unchanged": index.unchanged_count,
        },
        "sources": [{"source": one.name, "due": one.is_due, "reason": one.reason} for one in sources],
    }


def _table(table: PlannedTable) -> dict[str, Any]:
    return {name: getattr(table, name) for name in PlannedTable.__dataclass_fields__}
