"""The linked schema as JSON: a stable contract, with its version in it."""

import json
from typing import Any

from linker.linked import LinkedSchema, LinkedTable

VERSION = 1


def render(schema: LinkedSchema) -> str:
    """The linked schema as an indented document."""
    document = {
        "version": VERSION,
        "question": schema.question,
        "target": schema.target,
        "strategy": schema.strategy,
        "tables": [_table(linked) for linked in schema.tables],
        "joins": [
            {
                "left": str(join.left),
                "left_columns": list(join.left_columns),
                "right": str(join.right),
                "right_columns": list(join.right_columns),
                "reason": join.reason,
            }
            for join in schema.joins
        ],
        "warnings": list(schema.warnings),
        "seconds": round(schema.seconds, 3),
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _table(linked: LinkedTable) -> dict[str, Any]:
    table = linked.table
    family = table.family
    return {
        "schema": table.ref.schema,
        "name": table.ref.name,
        "kind": table.kind,
        "description": table.description,
        "row_count_estimate": table.row_count_estimate,
        "family": family
        and {
            "key_kind": family.key_kind,
            "first_key": family.first_key,
            "last_key": family.last_key,
            "member_count": len(family.members),
            "representative": family.representative,
        },
        "siblings": list(table.siblings),
        "stands_for": [str(ref) for ref in linked.stands_for],
        "columns": [
            {
                "path": linked_column.column.path,
                "type": linked_column.column.data_type,
                "nullable": linked_column.column.is_nullable,
                "description": linked_column.column.description,
                "score": round(linked_column.score, 4),
                "reason": linked_column.reason,
            }
            for linked_column in linked.columns
        ],
    }
