"""
Profile cards of tables and columns: a page for people, or JSON, which is a contract with its
version in it.

In JSON, what was not measured is null; `privacy`, `scanned_at` and `not_scanned` say why. That of a
table has its distributions, shapes and the evidence of its joins only where all is explained.
"""

from typing import Any

from msgspec.structs import replace

from linker.catalog.profile import ColumnProfile, TableProfile, shown_part
from linker.render import as_json
from linker.render.profile_card import column_card, table_card, why_not_scanned
from linker.text.commands import completed
from linker.types import as_dict


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
        if column:
            return column_json(profile, column)
        return table_json(profile) if explain else short_json(profile)
    from linker.render.card_page import column_page, table_page

    if column is None:
        return table_page(table_card(profile), width=width, color=color)
    return column_page(column_card(profile, column), width=width, color=color)


# Below it a table without `--explain` holds less.
VERSION = 2
_SHORT_VALUES = 5


def table_json(profile: TableProfile) -> str:
    """A table with all its columns and joins."""
    columns, joins = map(_column, profile.columns), map(as_dict, profile.joins)
    return as_json({**_table(profile), "columns": [*columns], "joins": [*joins]})


def short_json(profile: TableProfile) -> str:
    """
    A table in one line: what its columns are and mean, without L3 and shapes, and with its first
    values.
    """
    columns = []
    for column in profile.columns:
        record = _column(replace(column, l3=None))
        record["l2"]["representative_values"] = (record["l2"]["representative_values"] or [])[
            :_SHORT_VALUES
        ] or None
        del record["l3"], record["l2"]["patterns"]
        columns.append(record)
    joins = [
        {name: value for name, value in as_dict(edge).items() if name != "evidence"}
        for edge in profile.joins
    ]
    return as_json({**_table(profile), "columns": columns, "joins": joins}, is_short=True)


def column_json(profile: TableProfile, column: ColumnProfile) -> str:
    """One column with the joins that it is part of."""
    joins = map(as_dict, profile.joins_of(column.path))
    return as_json({**_table(profile), "column": _column(column), "joins": [*joins]})


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
            "kind": family.kind,
            "key_kind": family.key_kind,
            "first_key": family.first_key,
            "last_key": family.last_key,
            "member_count": len(family.members),
            "representative": family.representative,
            "members_read": family.members_read,
        },
        "siblings": table.siblings,
        "not_scanned": None if profile.statistics else completed(why_not_scanned(profile)),
    }


def _column(column: ColumnProfile) -> dict[str, Any]:
    """The levels, each with the names of its artifact."""
    record = as_dict(shown_part(column))
    for value in (
        *(record["l2"]["representative_values"] or ()),
        *(record["l2"]["patterns"] or ()),
    ):
        if not value["members"]:
            del value["members"]
    if column.l3 and column.l3.histogram is not None:
        bins = [
            {"from": part.start, "to": part.end, "share": part.share}
            for part in column.l3.histogram
        ]
        record["l3"]["histogram"] = bins
    return record
