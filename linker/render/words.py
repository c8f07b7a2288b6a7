"""Short phrases on a profile that the cards share."""

import json
from collections.abc import Sequence

from linker.catalog.profile import ColumnProfile, JoinEdge, TableProfile
from linker.text.commands import command
from linker.text.numbers import counted, number, percent
from linker.text.safe import one_line, spelled

_PERSONAL = {
    "national_id": "national id",
    "iban": "IBAN",
    "card": "payment card",
    "ip": "IP address",
    "name": "name of a person",
    "birth_date": "date of birth",
    "belief": "belief or origin",
}
# By privacy, why nothing was read of a column.
UNREAD = {"exclude": "excluded by the settings", "refuse": "not readable by this role"}
# Numbers that name something are not read digit by digit.
_NAMING = ("identifier", "foreign_key", "code", "year", "phone", "geo")


def why_not_scanned(profile: TableProfile) -> str:
    """The reason why there are no figures."""
    if profile.plan is None:
        return "not scanned: the last run did not plan it"
    if profile.plan.state == "left out":
        return f"not scanned: {one_line(profile.plan.reason)}"
    return f"not scanned yet; run: {command('profile')}"


def measured(profile: TableProfile) -> str:
    """Time of the measurement, and the rows that were measured."""
    statistics = profile.statistics
    if statistics is None:
        return why_not_scanned(profile)
    when = statistics.scanned_at.strftime("%Y-%m-%d %H:%M UTC")
    rows = counted(statistics.row_count, "row")
    if not statistics.is_sampled or statistics.sample_row_count == statistics.row_count:
        return f"{when} on {'no rows: the table is empty' if statistics.row_count == 0 else f'all {rows}'}"
    if statistics.sample_row_count is None:
        return f"{when} on {rows}; values and quantiles on a sample"
    return f"{when} on {rows}; values and quantiles on a sample of {statistics.sample_row_count:,}"


def members_read(profile: TableProfile) -> str:
    """Members of a family that the figures come from; empty for a table of its own."""
    family = profile.table.family
    if family is None or not family.members_read:
        return ""
    names = [spelled(name) for name in family.members_read]
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"{len(names)} of {counted(len(family.members), 'member')} read: {shown}"


def keys(column: ColumnProfile) -> str:
    """Keys that the column is part of, and whether values repeat or are missing."""
    structure = column.l1
    facts = []
    if structure.primary_key_origin:
        facts.append(f"primary key ({structure.primary_key_origin})")
    if structure.foreign_key_origin:
        facts.append(f"foreign key ({structure.foreign_key_origin})")
    if structure.is_unique is not None:
        facts.append("unique" if structure.is_unique else "values repeat")
    facts.append("may be null" if structure.is_nullable else "never null (enforced)")
    return " · ".join(facts)


def distinct(column: ColumnProfile) -> str:
    """The count of distinct values."""
    semantics = column.l2
    if semantics.distinct_count is None:
        if semantics.privacy in UNREAD:
            return "not read"
        return "hidden" if semantics.privacy == "hide" else "not counted"
    return f"{'' if semantics.distinct_is_exact else '~'}{semantics.distinct_count:,}"


def privacy(column: ColumnProfile) -> str:
    """Values that are kept back, and why; empty where they are shown."""
    kind = column.l2.personal_data
    reason = f" ({_PERSONAL.get(kind, kind)} detected)" if kind else ""
    if column.l2.privacy in UNREAD:
        return UNREAD[column.l2.privacy]
    if column.l2.privacy == "hide":
        return f"hidden{reason}: values are only counted"
    if column.l2.privacy == "mask":
        return f"masked{reason}: shapes stand for values"
    return f"shown, though it looks like {_PERSONAL.get(kind, kind)}" if kind else ""


def shown_by(profile: TableProfile, column: ColumnProfile) -> str:
    """The line of linker.yml that shows a column whose values are kept back; empty of others."""
    if column.l2.privacy not in ("mask", "hide"):
        return ""
    return f"show_columns: [{json.dumps(f'{profile.table.ref}.{column.path}'.lower(), ensure_ascii=False)}]"


def no_values(column: ColumnProfile) -> str:
    """The reason why there is no value to show."""
    if column.l2.privacy == "hide":
        return "hidden"
    if column.l2.privacy in UNREAD:
        return "not read"
    if column.l3 is not None and column.l3.value_count == 0:
        return "all null" if column.l3.row_count else "no rows"
    if column.l1.value_kind in ("struct", "list", "json"):
        return "see the paths inside"
    return "binary, not listed" if column.l1.value_kind == "binary" else "not measured"


def example_values(column: ColumnProfile, most: int) -> str:
    """A few values in a line."""
    values = column.l2.representative_values
    if not values:
        return no_values(column)
    return ", ".join(value(example.value) for example in values[:most])


def value(text: str) -> str:
    """A value in a line of its own; the empty one is made to show."""
    return one_line(text) or '""'


def figure(column: ColumnProfile, value: float) -> str:
    """A figure of the column's values; those that name something have no separators."""
    return number(value, grouped=column.l1.category not in _NAMING)


def joined(columns: Sequence[str], table: str) -> str:
    """One end of a join."""
    names = ", ".join(spelled(name) for name in columns)
    return f"{spelled(table)}.{names}" if len(columns) == 1 else f"{spelled(table)} ({names})"


def trust(edge: JoinEdge) -> str:
    """The cardinality of a join, its origin and its confidence."""
    origin = (
        edge.origin
        if edge.origin == "declared"
        else f"{edge.origin}, confidence {edge.confidence:.2f}"
    )
    return f"{edge.cardinality}, {origin}" if edge.cardinality else origin


def nulls(column: ColumnProfile, rows: int | None) -> str:
    """The share and count of missing values, of how many rows or elements."""
    statistics = column.l3
    if column.l2.null_ratio is None or statistics is None:
        return "no rows" if statistics is not None else "not measured"
    of_what = "row" if statistics.row_count == rows else "element"
    missing = statistics.row_count - statistics.value_count
    return (
        f"{percent(column.l2.null_ratio)}   {missing:,} of {counted(statistics.row_count, of_what)}"
    )
