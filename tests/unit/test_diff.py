"""Schema diff on values worked out by hand, and its invariants."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from linker.history.column_changes import MeasureChange, Thresholds
from linker.history.runs import ColumnChange, TableChange, diff
from linker.types import ColumnState, TableState
from tests.unit.states import DEFAULTS, KEY, NOON, NUMBER, ORDERS, RETURNS, STATUS, changed, table


def columns(before: TableState, after: TableState) -> list[tuple[str, str, str | None]]:
    """Each column change with its kind, its path and the path before."""
    return [
        (column.kind, column.path, column.before.path if column.before else None)
        for one in diff({ORDERS: before}, {ORDERS: after}, DEFAULTS)
        for column in one.columns
    ]


def test_tables_that_came_and_went_are_told_with_what_they_were() -> None:
    before, after = table(KEY), table(NUMBER, rows=7)
    assert diff({ORDERS: before}, {RETURNS: after}, DEFAULTS) == (
        TableChange(ORDERS, "gone", before, None),
        TableChange(RETURNS, "came", None, after),
    )


def test_columns_that_came_and_went_are_told() -> None:
    assert columns(table(KEY, NUMBER), table(KEY, STATUS)) == [
        ("came", "status", None),
        ("gone", "amount", "amount"),
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"data_type": "BIGINT"}, MeasureChange("type", "INTEGER", "BIGINT")),
        ({"is_nullable": False}, MeasureChange("nullable", True, False)),
        ({"category": "money"}, MeasureChange("category", "measure", "money")),
        ({"privacy": "mask", "min": None, "max": None}, MeasureChange("privacy", "show", "mask")),
        ({"null_ratio": 0.0501}, MeasureChange("nulls", 0.0, 0.0501, 0.0501)),
        ({"distinct_count": 601}, MeasureChange("distinct", 500, 601, 0.202)),
        ({"distinct_count": 416}, MeasureChange("distinct", 500, 416, 0.2019)),
        # The wider of the two ranges counts: 111 of 1111.
        ({"max": "1112"}, MeasureChange("range", ("0", "1000"), ("0", "1112"), 0.1007)),
        (
            {"min": "-200", "max": "1000"},
            MeasureChange("range", ("0", "1000"), ("-200", "1000"), 0.1667),
        ),
        ({"min": "150"}, MeasureChange("range", ("0", "1000"), ("150", "1000"), 0.15)),
    ],
)
def test_each_change_beyond_its_threshold_is_told(
    changes: dict[str, Any], expected: MeasureChange
) -> None:
    assert changed(NUMBER, replace(NUMBER, **changes)) == [expected]


@pytest.mark.parametrize(
    "changes",
    [
        {"null_ratio": 0.05},
        {"distinct_count": 600},
        {"distinct_count": 417},
        {"max": "1111"},
        {"max": "900"},
        # A value unknown on one side did not change.
        {"is_nullable": None},
        {"category": None},
        {"null_ratio": None, "distinct_count": None, "min": None, "max": None, "privacy": None},
    ],
)
def test_what_stays_within_its_threshold_is_not_told(changes: dict[str, Any]) -> None:
    assert changed(NUMBER, replace(NUMBER, **changes)) == []


def test_thresholds_can_be_set() -> None:
    loose, tight = Thresholds(nulls=0.5), Thresholds(nulls=0.01)
    assert changed(NUMBER, replace(NUMBER, null_ratio=0.4), loose) == []
    assert [one.kind for one in changed(NUMBER, replace(NUMBER, null_ratio=0.02), tight)] == [
        "nulls"
    ]


@pytest.mark.parametrize(
    ("rows", "is_told"), [(1100, False), (1101, True), (910, False), (909, True), (0, True)]
)
def test_a_row_count_is_told_beyond_a_tenth_of_the_smaller_one(rows: int, is_told: bool) -> None:
    found = diff({ORDERS: table(STATUS)}, {ORDERS: table(STATUS, rows=rows)}, DEFAULTS)
    assert [one.has_other_row_count for one in found] == [True] * is_told


def test_distinct_values_that_grow_no_more_than_rows_do_are_as_expected() -> None:
    """Twice the rows bring up to twice the values, or none at all."""
    for count in (1000, 1999, 2000):
        assert changed(KEY, replace(KEY, distinct_count=count), rows=2000) == []
    [told] = changed(KEY, replace(KEY, distinct_count=2500), rows=2000)
    assert (told.kind, told.size) == ("distinct", 0.25)
    [told] = changed(KEY, replace(KEY, distinct_count=500), rows=2000)
    assert (told.kind, told.size) == ("distinct", 1.0)


def test_the_range_of_a_key_only_says_how_many_there_are() -> None:
    assert changed(KEY, replace(KEY, max="9000", distinct_count=9000), rows=9000) == []
    assert changed(KEY, replace(KEY, max="1990")) == []


def test_a_key_whose_range_is_more_than_twice_what_its_rows_explain_is_told() -> None:
    for before, after in (("1000", "2010"), ("2010", "1000")):
        [told] = changed(replace(KEY, max=before), replace(KEY, max=after))
        assert (told.kind, told.size) == ("range", round(1010 / 2009, 4))


def test_a_date_may_move_as_far_as_the_clock_did_between_the_scans() -> None:
    day = replace(
        NUMBER, path="day", data_type="DATE", value_kind="date", min="2026-11-01", max="2026-11-10"
    )
    later = NOON + timedelta(days=5)
    assert changed(day, replace(day, max="2026-11-16"), scanned_at=later) == []
    [told] = changed(day, replace(day, max="2026-11-17"), scanned_at=later)
    assert (told.kind, told.before, told.size) == (
        "range",
        ("2026-11-01", "2026-11-10"),
        round(7 / 16, 4),
    )
    [told] = changed(day, replace(day, max="9999-12-31"))
    assert told.after == ("2026-11-01", "9999-12-31")


def test_what_is_no_number_and_no_date_has_no_range() -> None:
    assert changed(NUMBER, replace(NUMBER, max="inf")) == []
    text = replace(STATUS, values=(), distinct_count=900)
    assert changed(text, replace(text, max="zz")) == []
    stamp = replace(
        NUMBER,
        value_kind="timestamp",
        min="2026-01-01 00:00:00",
        max="2026-11-01 00:00:00.000 +0000",
    )
    assert changed(stamp, replace(stamp, max="infinity")) == []
    assert changed(stamp, replace(stamp, max="2026-11-01 12:00:00.000 +0000")) == []


def test_new_and_vanished_values_of_a_small_category_are_told_with_the_shares_that_moved() -> None:
    after = replace(STATUS, values=(("a", 500), ("b", 300), ("d", 200)))
    assert changed(STATUS, after) == [
        MeasureChange(
            "values",
            size=0.2,
            new_values=("d",),
            gone_values=("c",),
            shares=(("c", 0.2, 0.0), ("d", 0.0, 0.2)),
        )
    ]


def test_a_shift_between_the_values_is_told_beyond_its_threshold() -> None:
    def shifted(rows: int) -> ColumnState:
        return replace(STATUS, values=(("a", 500 - rows), ("b", 300 + rows), ("c", 200)))

    assert changed(STATUS, shifted(100)) == []
    assert changed(STATUS, shifted(101)) == [
        MeasureChange("values", size=0.101, shares=(("a", 0.5, 0.399), ("b", 0.3, 0.401)))
    ]


def test_values_say_more_than_their_number() -> None:
    after = replace(STATUS, values=(*STATUS.values, ("d", 1)), distinct_count=4)
    assert [one.kind for one in changed(STATUS, after)] == ["values"]
    # Beyond a small category no values are kept, and the number says it.
    assert [one.kind for one in changed(STATUS, replace(STATUS, values=(), distinct_count=90))] == [
        "distinct"
    ]


def test_nothing_is_said_of_the_long_type_of_what_is_nested() -> None:
    one = ColumnState("hits", "STRUCT(a INTEGER)[]", is_nullable=True, category="list")
    assert changed(one, replace(one, data_type="STRUCT(a INTEGER, b DATE)[]")) == []
    assert changed(one, replace(one, data_type="JSON")) == [
        MeasureChange("type", "STRUCT(a INTEGER)[]", "JSON")
    ]


def test_a_renamed_column_is_told_as_probably_that() -> None:
    new = replace(NUMBER, path="total", max="1010", distinct_count=505, null_ratio=0.01)
    assert columns(table(KEY, NUMBER), table(KEY, new)) == [("renamed", "total", "amount")]


@pytest.mark.parametrize(
    "other",
    [
        {"data_type": "BIGINT"},
        {"null_ratio": 0.03},
        {"distinct_count": 600},
        {"max": "1100"},
        {"privacy": "mask"},
    ],
)
def test_a_column_that_differs_is_not_a_renamed_one(other: dict[str, Any]) -> None:
    new = replace(NUMBER, path="total", **other)
    assert columns(table(KEY, NUMBER), table(KEY, new)) == [
        ("came", "total", None),
        ("gone", "amount", "amount"),
    ]


def test_of_two_columns_that_are_as_near_neither_is_the_renamed_one() -> None:
    news = [replace(NUMBER, path=path) for path in ("total", "sum")]
    assert [kind for kind, _, _ in columns(table(NUMBER), table(*news))] == ["came", "came", "gone"]
    nearer = replace(NUMBER, path="sum", null_ratio=0.01)
    assert columns(table(NUMBER), table(news[0], nearer)) == [
        ("renamed", "total", "amount"),
        ("came", "sum", None),
    ]


def test_texts_of_which_nothing_tells_that_they_are_the_same_are_not_renamed() -> None:
    text = replace(STATUS, values=(), distinct_count=40)
    assert columns(table(text), table(replace(text, path="b", min="0", max="1"))) == [
        ("came", "b", None),
        ("gone", "status", "status"),
    ]
    assert columns(table(text), table(replace(text, path="b"))) == [("renamed", "b", "status")]
    # As many distinct values, when there are many, are hardly chance: masked columns have nothing
    # else.
    masked = replace(text, privacy="mask", min=None, max=None, distinct_count=871)
    assert columns(table(masked), table(replace(masked, path="b"))) == [("renamed", "b", "status")]


def test_a_renamed_column_that_changed_too_says_how() -> None:
    new = replace(NUMBER, path="total", is_nullable=False)
    [found] = diff({ORDERS: table(NUMBER)}, {ORDERS: table(new)}, DEFAULTS)
    assert found.columns == (
        ColumnChange("renamed", NUMBER, new, (MeasureChange("nullable", True, False),)),
    )


def test_a_sample_must_differ_by_more_than_samples_do() -> None:
    """For 100 rows: Bernstein's bound at 1e-6 is 0.57 around 0.2; Hoeffding's is at least 0.37."""
    null = replace(NUMBER, null_ratio=0.1, is_sampled=True, sample_rows=100)
    assert changed(null, replace(null, null_ratio=0.3)) == []
    assert [one.kind for one in changed(null, replace(null, null_ratio=0.9))] == ["nulls"]
    many = replace(null, sample_rows=20_000)
    assert [one.kind for one in changed(many, replace(many, null_ratio=0.16))] == ["nulls"]


def test_a_value_that_a_sample_missed_is_not_new() -> None:
    """A value occurs 20 times in only one of two equal samples once in 2 ** 20."""
    sampled = replace(STATUS, is_sampled=True, sample_rows=1000)

    def with_new(count: int) -> ColumnState:
        return replace(
            sampled,
            values=(("a", 500), ("b", 300), ("c", 200 - count), ("d", count)),
            distinct_count=4,
        )

    assert changed(sampled, with_new(19)) == []
    [told] = changed(sampled, with_new(20))
    assert told.new_values == ("d",)


def test_estimates_of_distinct_values_may_be_off() -> None:
    estimated = replace(NUMBER, distinct_is_exact=False)
    assert changed(estimated, replace(estimated, distinct_count=780)) == []
    assert [one.kind for one in changed(estimated, replace(estimated, distinct_count=800))] == [
        "distinct"
    ]


def test_a_category_that_a_sample_decides_may_flip() -> None:
    sampled = replace(NUMBER, is_sampled=True, sample_rows=1000)
    assert changed(sampled, replace(sampled, category="identifier")) == []
    assert [one.kind for one in changed(sampled, replace(sampled, category="money"))] == [
        "category"
    ]


def test_the_newest_members_of_a_family_are_a_sample_of_it() -> None:
    one = replace(NUMBER, is_partial=True, sample_rows=82, distinct_count=60)
    other = replace(one, sample_rows=75, min="-500", max="3000", null_ratio=0.2, distinct_count=45)
    assert changed(one, other) == []
    assert [told.kind for told in changed(one, replace(other, null_ratio=0.97))] == ["nulls"]
