"""
Profile cards of tables and columns: a page for people, or JSON, which is a contract with its
version in it.

In JSON, what was not measured is null; `privacy`, `scanned_at` and `not_scanned` say why. That of a
table has its distributions, shapes and the evidence of its joins only where all is explained.
"""

from typing import Any

from linker.catalog.profile import ColumnProfile, TableProfile, shown_part
from linker.render import as_json
from linker.render.profile_card import column_card, table_card, why_not_scanned
from linker.text.commands import completed
from linker.types import as_dict

# Below it a table without `--explain` holds less.
VERSION = 2
_SHORT_VALUES = 5


def render_card(
    profile: TableProfile,
    column: ColumnProfile | None,
    form: str,
    *,
    width: int = 100,
    color: bool = False,
    explain: bool = False,
) -> str:
    """The card of the column, or of the table where no column is given."""
    if form == "json":
        return _column_json(profile, column) if column else _table_json(profile, explain=explain)
    from linker.render.card_page import column_page, table_page

    if column is None:
        return table_page(table_card(profile), width=width, color=color)
    return column_page(column_card(profile, column), width=width, color=color)


def _table_json(profile: TableProfile, *, explain: bool) -> str:
    """
    A table with all its columns and joins; unless all is explained in one line, without L3, shapes
    and evidence, and with its first values.
    """
    columns, joins = [*map(_column, profile.columns)], [*map(as_dict, profile.joins)]
    if not explain:
        for column in columns:
            semantics = column["l2"]
            semantics["representative_values"] = (semantics["representative_values"] or ())[
                :_SHORT_VALUES
            ] or None
            del column["l3"], semantics["patterns"]
        for join in joins:
            del join["evidence"]
    record = {**_table(profile), "columns": columns, "joins": joins}
    return as_json(record, is_short=not explain)


def _column_json(profile: TableProfile, column: ColumnProfile) -> str:
    """One column with the joins that it is part of."""
    joins = map(as_dict, profile.joins_of(column.path))
    return as_json({**_table(profile), "column": _column(column), "joins": [*joins]})


def _table(profile: TableProfile) -> dict[str, Any]:
    from linker.render.contract import FamilyRecord

    table, family = profile.table, None
    if table.family:
        family = FamilyRecord.model_validate(table.family).model_dump()
        family["members_read"] = table.family.members_read
    return {
        "version": VERSION,
        "schema": table.ref.schema,
        "name": table.ref.name,
        "kind": table.kind,
        "description": table.description,
        "row_count_estimate": table.row_count_estimate,
        "family": family,
        "siblings": table.siblings,
        "not_scanned": None if profile.statistics else completed(why_not_scanned(profile)),
    }


def _column(column: ColumnProfile) -> dict[str, Any]:
    """The levels, each with the names of its artifact."""
    record = as_dict(shown_part(column))
    semantics, figures = record["l2"], record["l3"] or {}
    for value in (*(semantics["representative_values"] or ()), *(semantics["patterns"] or ())):
        if not value["members"]:
            del value["members"]
    for part in figures.get("histogram") or ():
        share = part.pop("share")
        part |= {"from": part.pop("start"), "to": part.pop("end"), "share": share}
    return record
