"""Schema diff over a changing warehouse (tests/profile/changes.sql): exactly the changes."""

from linker.history.column_changes import Thresholds
from linker.history.runs import diff
from tests.profile.runs import Run

FirstRun = tuple[Run, str]
ANYTHING = Thresholds(rows=0, nulls=0, distinct=0, range=0, values=0)


def told(before: Run, after: Run, thresholds: Thresholds) -> set[tuple[str, str]]:
    """The changes reported for tables and columns."""
    found: set[tuple[str, str]] = set()
    for table in diff(before.states, after.states, thresholds):
        name = table.table.name
        found |= {(name, table.kind)} if table.kind != "changed" else set()
        found |= {(name, "rows")} if table.has_other_row_count else set()
        for column in table.columns:
            found |= {(f"{name}.{column.path}", column.kind)} if column.kind != "changed" else set()
            found |= {(f"{name}.{column.path}", change.kind) for change in column.changes}
    return found


def test_between_runs_over_the_same_warehouse_nothing_is_told_whatever_the_thresholds(
    first_run: FirstRun, second_run: Run
) -> None:
    assert first_run[0].states
    assert told(first_run[0], second_run, ANYTHING) == set()


def test_what_was_changed_is_told_and_nothing_else(first_run: FirstRun, third_run: Run) -> None:
    """A row more or less of a hundred is within the thresholds."""
    assert told(first_run[0], third_run, Thresholds()) == {
        ("added", "came"),
        ("new_name", "came"),
        ("old_name", "gone"),
        ("dropped", "gone"),
        ("updated.a", "range"),
        ("retyped.a", "type"),
        ("extended.b", "came"),
    }


def test_without_thresholds_the_smallest_change_is_told(
    first_run: FirstRun, third_run: Run
) -> None:
    """The maximum of a key-like column is no change: it has one more value."""
    more = told(first_run[0], third_run, ANYTHING) - told(first_run[0], third_run, Thresholds())
    assert more == {("deleted_from", "rows"), ("inserted_into", "rows")}
