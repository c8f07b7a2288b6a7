"""
JSON of runs and of states of tables: enter records, leave JSON, and back again.

What has its default is left out, and what a newer version wrote besides is passed over: versions
read each other.
"""

import json
import zlib
from datetime import UTC, datetime
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Struct, convert
from msgspec.structs import fields

from linker.runs import ColumnState, Run, TableError, TableState, Work
from linker.types import TableRef


def write_facts(run: Run) -> str:
    """
    Facts of a run as JSON of plain ASCII, which takes any text that a warehouse may have sent.
    """
    return json.dumps(
        {
            "work": _write(run.work),
            "errors": [
                [error.table.schema, error.table.name, error.message] for error in run.errors
            ],
            "dbt_runs": run.dbt_runs,
            "message": run.message,
            "selection": run.selection,
        }
    )


def read_run(row: tuple[Any, ...]) -> Run:
    """The run of a row: number, kind, outcome, start, end, and what is told besides."""
    number, kind, outcome, started_at, ended_at, facts = row
    return Run(
        number,
        kind,
        outcome,
        started_at.astimezone(UTC),
        ended_at.astimezone(UTC) if ended_at else None,
        convert(facts.get("work", {}), Work),
        tuple(
            TableError(TableRef(schema, name), message)
            for schema, name, message in facts.get("errors", ())
        ),
        tuple(facts.get("dbt_runs", ())),
        facts.get("message", ""),
        facts.get("selection", ""),
    )


def write_state(state: TableState) -> bytes:
    """A state as bytes; equal states are equal bytes."""
    scanned_at = state.scanned_at.astimezone(UTC).isoformat() if state.scanned_at else None
    columns = [_write(column) for column in state.columns]
    record = {"row_count": state.row_count, "scanned_at": scanned_at, "columns": columns}
    return json.dumps({**record, "change_rule": state.change_rule}).encode()


def pack(written: bytes) -> bytes:
    """Fewer bytes; those of a wide table go from 60 KB to 10."""
    return zlib.compress(written)


def read_state(packed: bytes) -> TableState:
    """The state of packed bytes."""
    record = json.loads(zlib.decompress(packed))
    scanned_at = datetime.fromisoformat(record["scanned_at"]) if record["scanned_at"] else None
    columns = convert(record["columns"], tuple[ColumnState, ...])
    return TableState(record["row_count"], scanned_at, columns, record.get("change_rule"))


def _write(record: Struct) -> dict[str, Any]:
    values = ((name, default, getattr(record, name)) for name, default in _defaults(type(record)))
    return {
        name: value for name, default, value in values if default is NODEFAULT or value != default
    }


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Looked up once: a warehouse has many thousand columns."""
    return tuple((field.name, field.default) for field in fields(kind))
