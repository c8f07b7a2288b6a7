"""
Proposals for a dbt project: enters the profile of a table, leave descriptions and tests of what was
measured of it.

A test that is wrong costs more than one that is missing: what was measured on a part of the rows is
proposed as a warning or not at all, and values only where they may be seen.
"""

from collections.abc import Callable, Iterator

from msgspec import field

from linker.catalog.profile import ColumnProfile, JoinEdge, Statistics, TableProfile
from linker.dbt.project import DbtProject, DbtTable
from linker.dbt.yaml_text import Plain
from linker.text.numbers import counted, percent
from linker.text.safe import one_line
from linker.types import Record

# Of fewer rows nothing is told by what is not there; a key of a small table still is one.
_LEAST_ROWS = 20
# A rule that no row of so many breaks may still be broken by one in sixteen (three in the count of
# rows): a warning.
_FEW_ROWS = 50
_MOST_VALUES = 25
_LONGEST_VALUE = 30
_LEAST_REPEATS = 5
_CATEGORIES = ("category", "code")
# A join that was inferred has to be as sure as that.
_SURE = 0.9


class ProposedTest(Record, frozen=True):
    """
    A test, its arguments, how grave it is where that is less than an error, and the evidence in a
    line.
    """

    name: str
    evidence: str
    arguments: dict[str, object] = field(default_factory=dict)
    severity: str = ""


class ProposedColumn(Record, frozen=True):
    """A column with the words of the warehouse, if there are any, and tests."""

    name: str
    description: str
    tests: tuple[ProposedTest, ...]


class ProposedTable(Record, frozen=True):
    """What is proposed for a table of the project."""

    table: DbtTable
    description: str
    columns: tuple[ProposedColumn, ...]


def propose(
    profile: TableProfile, table: DbtTable, project: DbtProject, is_bare: Callable[[str], bool]
) -> ProposedTable:
    """
    What a table may have; `is_bare` tells if SQL takes a name without quotes, others get no test.
    """
    columns = []
    for column in profile.columns:
        if profile.table.column_by_path[column.path].depth or _is_template(column.path):
            continue
        words = column.l2.description if column.l2.description_origin == "warehouse" else None
        tests = tuple(
            test
            for test in _tests(profile, column, table, project, is_bare)
            if (test.name, column.path.lower()) not in table.tests
        )
        if tests or (words and not _is_template(words)):
            columns.append(
                ProposedColumn(column.path, "" if _is_template(words or "") else words or "", tests)
            )
    comment = profile.table.description or ""
    return ProposedTable(table, "" if _is_template(comment) else comment, tuple(columns))


def _tests(
    profile: TableProfile,
    column: ColumnProfile,
    table: DbtTable,
    project: DbtProject,
    is_bare: Callable[[str], bool],
) -> Iterator[ProposedTest]:
    statistics = column.l3
    if statistics is None or not _is_whole(profile, statistics) or not is_bare(column.path):
        return
    when, rows = f"linker, {statistics.scanned_at:%Y-%m-%d}", counted(statistics.row_count, "row")
    is_key = bool(column.l1.primary_key_origin) or column.l1.category == "identifier"
    # What the warehouse declares it holds to; what was only seen is told by how many rows.
    is_seen_in_few = column.l1.primary_key_origin != "declared" and statistics.row_count < _FEW_ROWS
    severity = "warn" if is_seen_in_few else ""
    edge = sure_edge(profile, column, project, is_bare)
    # What points to a key has the values of that, however few they are.
    values = [] if edge else _values(column, statistics, table)
    is_telling = column.l1.primary_key_origin or statistics.row_count >= _LEAST_ROWS
    if is_key and is_telling and column.l1.is_unique and statistics.row_count > 1:
        yield ProposedTest("unique", f"{when}: no value comes twice in {rows}", severity=severity)
    if column.l2.null_ratio == 0 and is_telling and (is_key or edge or values):
        yield ProposedTest("not_null", f"{when}: {rows}, none without a value", severity=severity)
    if edge:
        key = project.tables[edge.to_schema.lower(), edge.to_table.lower()]
        looked_at = edge.sampled_values or 0
        is_proven = edge.origin == "declared" or looked_at >= (column.l2.distinct_count or 0)
        yield ProposedTest(
            "relationships",
            f"{when}: {one_line(edge.evidence)}",
            {"to": key.reference, "field": Plain(edge.to_columns[0])},
            severity=severity if is_proven else "warn",
        )
    if values:
        shares = ", ".join(
            f"{text} {percent(count / statistics.value_count)}" for text, count in values
        )
        is_number = column.l1.value_kind == "integer"
        yield ProposedTest(
            "accepted_values",
            f"{when}: {counted(len(values), 'value')} in {rows}: {one_line(shares)}",
            {"values": [int(text) if is_number else text for text, _ in values]}
            | ({"quote": False} if is_number else {}),
            severity="warn",
        )


def _is_whole(profile: TableProfile, statistics: Statistics) -> bool:
    """Tell if all rows were read: of a family few members are, of a very large table a part."""
    if profile.table.family or not statistics.row_count:
        return False
    return not statistics.is_sampled or 2 * statistics.row_count >= (
        profile.table.row_count_estimate or 0
    )


def sure_edge(
    profile: TableProfile,
    column: ColumnProfile,
    project: DbtProject,
    is_bare: Callable[[str], bool],
) -> JoinEdge | None:
    """
    The surest join to a key of the project that holds every value that was looked up; no free text
    is one.
    """
    return next(
        (
            edge
            for edge in profile.joins_of(column.path)
            if edge.from_columns == (column.path,)
            and edge.source == profile.table.ref != edge.key
            and edge.confidence >= _SURE
            and (
                edge.origin == "declared"
                or (edge.containment == 1 and column.l1.category != "text")
            )
            and (edge.to_schema.lower(), edge.to_table.lower()) in project.tables
            and is_bare(edge.to_columns[0])
        ),
        None,
    )


def _values(
    column: ColumnProfile, statistics: Statistics, table: DbtTable
) -> list[tuple[str, int]]:
    """
    All values of a small category that may be seen, with how often each comes; none of any other
    column.
    """
    found = [(value.value, value.count) for value in column.l2.representative_values or ()]
    is_shown = column.l2.privacy == "show" and not column.l2.personal_data
    is_counted = (
        column.l2.distinct_is_exact
        and not statistics.is_sampled
        and len(found) == column.l2.distinct_count
    )
    is_small = (
        2 <= len(found) <= _MOST_VALUES and len(found) * _LEAST_REPEATS <= statistics.value_count
    )
    is_category = column.l1.category in _CATEGORIES and column.l1.value_kind in ("text", "integer")
    is_kept_back = table.kept_back & {"*", column.path.lower()}
    if not (is_shown and is_counted and is_small and is_category) or is_kept_back:
        return []
    if any(len(text) > _LONGEST_VALUE or _is_template(text) for text, _ in found):
        return []
    return found if statistics.row_count >= _LEAST_ROWS else []


def _is_template(text: str) -> bool:
    """Tell if dbt would run a text of the warehouse as a template."""
    return any(mark in text for mark in ("{{", "{%", "{#"))
