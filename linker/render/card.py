"""
Profile cards of tables and columns: a page for people, or JSON, which is a contract with its version in it.

In JSON, what was not measured is null; `privacy`, `scanned_at` and `not_scanned` say why.
"""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from linker.catalog.profile import ColumnProfile, JoinEdge, TableProfile
from linker.render.words import why_not_scanned


def render_card(
    profile: TableProfile, column: ColumnProfile | None, form: str, *, width: int = 100, color: bool = False
) -> str:
    """The card of the column, or of the table where no column is given."""
    if form == "json":
        return table_json(profile) if column is None else column_json(profile, column)
    if column is None:
        from linker.render.table_card import render_table_card

        return render_table_card(profile, width=width, color=color)
    from linker.render.column_card import render_column_card

    return render_column_card(profile, column, width=width, color=color)


VERSION = 1


def table_json(profile: TableProfile) -> str:
    """A table with all its columns and joins."""
    return _dumped(
        {
            **_table(profile),
            "columns": [_column(column) for column in profile.columns],
            "joins": [_join(edge) for edge in profile.joins],
        }
    )


def column_json(profile: TableProfile, column: ColumnProfile) -> str:
    """One column with the joins that it is part of."""
    joins = [_join(edge) for edge in profile.joins_of(column.path)]
    return _dumped({**_table(profile), "column": _column(column), "joins": joins})


def _table(profile: TableProfile) -> dict[str, Any]:
    table = profile.table
    family = table.family
    return {
        "version": VERSION,
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
            "members_read": list(profile.plan.members) if profile.plan else None,
        },
        "siblings": list(table.siblings),
        "not_scanned": None if profile.statistics else why_not_scanned(profile),
    }


def _column(column: ColumnProfile) -> dict[str, Any]:
    """The levels, each with the names of its artifact."""
    l3 = asdict(column.l3) if column.l3 else None
    if l3 and column.l3 and column.l3.histogram is not None:
        l3["histogram"] = [{"from": part.start, "to": part.end, "share": part.share} for part in column.l3.histogram]
    return {
        "path": column.path,
        "position": column.position,
        "l1": asdict(column.l1),
        "l2": asdict(column.l2),
        "l3": l3,
    }


def _join(edge: JoinEdge) -> dict[str, Any]:
    return asdict(edge)


def _dumped(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, default=_as_json)


def _as_json(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not part of a card")
