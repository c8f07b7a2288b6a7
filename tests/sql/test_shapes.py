"""Shapes of questions beyond one table: parts of families, periods in words, codes, sums, several measures, bridges."""

import pytest

from linker.facts import ColumnFacts, Facts, KeyPair
from linker.linked import LinkedColumn, LinkedSchema, LinkedTable
from linker.mentions import read_mentions
from linker.retrievers.hybrid import Retrieved
from linker.sql.simple.writer import Written, write
from linker.types import Catalog, Column, ColumnRef, Family, Table, TableRef

SHOPS, SALES, STAFF, STAFF_OLD, BADGES, TAGS, STAFF_TAGS = (
    TableRef("chain", name) for name in ("shops", "sales_*", "staff", "staff_old", "badges", "tags", "staff_tags")
)
MONTHS = tuple(f"sales_2025_{month:02}" for month in range(1, 13))
# path:type:category, the key first.
TABLES = {
    SHOPS: (4, "shop_id:BIGINT:identifier shop_name:VARCHAR:text is_flagship:INTEGER:boolean"),
    SALES: (900, "sale_id:BIGINT:identifier shop_id:BIGINT:foreign_key sold_on:DATE:date paid_cents:BIGINT:money"),
    STAFF: (
        20,
        "staff_id:BIGINT:identifier shop_id:BIGINT:foreign_key full_name:VARCHAR:text salary:BIGINT:money"
        " grade:VARCHAR:code visits_per_week:INTEGER:measure",
    ),
    BADGES: (
        50,
        "badge_id:BIGINT:identifier staff_id:BIGINT:foreign_key month:INTEGER:measure headcount:BIGINT:measure",
    ),
    STAFF_OLD: (7, "staff_id:BIGINT:identifier full_name:VARCHAR:text"),
    TAGS: (3, "tag_id:BIGINT:identifier tag_name:VARCHAR:text"),
}
GRADES = "T trainee, S senior, M manager"
VALUES = {
    ColumnRef(SHOPS, "shop_name"): ("North", "South", "Old Harbour", "South"),
    ColumnRef(SHOPS, "is_flagship"): ("0", "1"),
    ColumnRef(STAFF, "grade"): ("T", "S", "M"),
    ColumnRef(BADGES, "month"): ("202511", "202512"),
    ColumnRef(TAGS, "tag_name"): ("cheerful", "quiet"),
}
JOINS = (
    KeyPair(SALES, ("shop_id",), SHOPS, ("shop_id",), 0.97, 1.0, 200.0),
    KeyPair(STAFF, ("shop_id",), SHOPS, ("shop_id",), 0.97, 1.0, 5.0),
    KeyPair(BADGES, ("staff_id",), STAFF, ("staff_id",), 0.97, 1.0, 2.5),
    KeyPair(STAFF_TAGS, ("staff_id",), STAFF, ("staff_id",), 0.97, 1.0, 2.0),
    KeyPair(STAFF_TAGS, ("tag_id",), TAGS, ("tag_id",), 0.97, 1.0, 9.0),
)


def columns_of(told: str) -> list[tuple[Column, str]]:
    found = list[tuple[Column, str]]()
    for place, (path, kind, category) in enumerate((one.split(":") for one in told.split()), start=1):
        description = GRADES if path == "grade" else None
        found.append((Column(path, path, 0, place, kind, is_nullable=True, description=description), category))
    return found


def written(question: str, *names: TableRef) -> Written:
    """The statement over some tables: the others were not linked."""
    linked, facts = list[LinkedTable](), dict[ColumnRef, ColumnFacts]()
    for ref in names:
        rows, told = TABLES[ref]
        columns = columns_of(told)
        for column, category in columns:
            values = VALUES.get(ColumnRef(ref, column.path), ())
            is_key = column.position == 1
            # Of four shops two are called the same.
            distinct = 3 if column.path == "shop_name" else rows if is_key or "name" in column.path else None
            distinct = distinct or len(set(values)) or None
            facts[ColumnRef(ref, column.path)] = ColumnFacts(
                category, distinct, is_primary_key=is_key, is_foreign_key=category == "foreign_key", values=values
            )
        family = Family("month", "2025_01", "2025_12", MONTHS, MONTHS[-1]) if ref == SALES else None
        table = Table(ref, "table", None, rows, tuple(column for column, _ in columns), family)
        linked.append(LinkedTable(table, tuple(LinkedColumn(column, 0.5, "") for column, _ in columns)))
    schema = LinkedSchema(question, "t.dev", "evilink", tuple(linked))
    mentions = read_mentions(question, Retrieved((), ()), Catalog((), 0))
    return write(mentions, schema, Facts(facts, JOINS), "duckdb")


def sql(question: str, *names: TableRef) -> str:
    answer = written(question, *names)
    assert answer.why_not == ""
    return " ".join(answer.sql.split())


def test_of_a_family_the_tables_of_the_period_are_read() -> None:
    told = sql("How many sales were there from October to December 2025?", SALES)
    assert [month for month in MONTHS if month in told] == list(MONTHS[9:])
    assert told.count("UNION ALL") == 2
    assert "sales.sold_on >= CAST('2025-10-01' AS DATE)" in told


def test_one_table_of_a_family_stands_for_itself_and_the_choice_is_a_doubt() -> None:
    answer = written("How many sales were there in March 2025?", SALES)
    assert "FROM chain.sales_2025_03 AS sales" in answer.sql
    assert "which tables of chain.sales_* hold the rows of a time is taken from their names" in answer.doubts


def test_a_time_of_which_a_family_has_no_table_is_not_written() -> None:
    assert written("How many sales were there in 2019?", SALES).why_not == (
        "no table of chain.sales_* is of the time that is asked for"
    )


@pytest.mark.parametrize(
    ("said", "first", "after"),
    [
        ("in the second half of 2025", "2025-07-01", "2026-01-01"),
        ("in the last quarter of 2025", "2025-10-01", "2026-01-01"),
        ("in the first three days of May 2025", "2025-05-01", "2025-05-04"),
        ("from 28 to 30 November 2025", "2025-11-28", "2025-12-01"),
        ("between July and September 2025", "2025-07-01", "2025-10-01"),
        ("in 2025 (July to September)", "2025-07-01", "2025-10-01"),
    ],
)
def test_periods_in_words_have_a_first_and_a_last_day(said: str, first: str, after: str) -> None:
    told = sql(f"How many sales were there {said}?", SALES)
    assert f"sales.sold_on >= CAST('{first}' AS DATE)" in told
    assert f"sales.sold_on < CAST('{after}' AS DATE)" in told


def test_a_period_is_compared_with_the_year_before_line_by_line() -> None:
    told = sql("How many sales were there in May 2025, compared with the year before?", SALES)
    assert "CAST('2024-05-01' AS DATE)" in told
    assert "CAST('2025-06-01' AS DATE)" in told
    assert "GROUP BY EXTRACT(year FROM sales.sold_on)" in told


def test_a_month_that_is_kept_as_a_number_is_a_period() -> None:
    told = sql("Headcount per staff in December 2025?", BADGES, STAFF)
    assert "SUM(badges.headcount) AS sum_headcount" in told
    assert "badges.month >= 202512 AND badges.month < 202601" in told


def test_money_kept_in_cents_is_told_in_whole_units_and_that_is_said() -> None:
    answer = written("What is the total paid per shop?", SALES, SHOPS)
    assert "SUM(sales.paid_cents) / 100 AS sum_paid" in answer.sql
    assert ("paid_cents / 100", "whole units: the column keeps cents") in [
        (one.said, one.meaning) for one in answer.readings
    ]


def test_shop_by_shop_is_by_shop_and_the_median_is_a_measure() -> None:
    told = sql("Median salary of staff, shop by shop", STAFF, SHOPS)
    assert "MEDIAN(staff.salary) AS median_salary" in told
    assert "GROUP BY shops.shop_name" in told


def test_a_flag_is_compared_with_what_it_denies() -> None:
    told = sql("Average salary of staff in flagship shops compared with the others, shop by shop", STAFF, SHOPS)
    assert "GROUP BY shops.is_flagship, shops.shop_name" in told


def test_what_is_asked_for_first_is_what_the_second_is_counted_by() -> None:
    told = sql("Which shops are there, and how many staff work in each?", STAFF, SHOPS)
    assert told.startswith("SELECT shops.shop_name, COUNT(*) AS staff_count FROM chain.staff AS staff")


def test_the_most_of_what_another_table_keeps_is_a_sum() -> None:
    told = sql("Which shop paid the most salary?", STAFF, SHOPS)
    assert "GROUP BY shops.shop_name" in told
    assert told.endswith("ORDER BY SUM(staff.salary) DESC LIMIT 1")


def test_a_code_is_found_by_what_its_description_says_and_stays_a_doubt() -> None:
    answer = written("How many senior staff are there?", STAFF)
    assert "staff.grade = 'S'" in answer.sql
    assert answer.doubts == ("“senior” is taken for S of chain.staff.grade, as its description says",)


def test_a_bridge_that_was_not_linked_is_read_and_told() -> None:
    answer = written("How many cheerful staff are there?", STAFF, TAGS)
    told = " ".join(answer.sql.split())
    assert "JOIN chain.staff_tags AS staff_tags ON staff_tags.staff_id = staff.staff_id" in told
    assert "COUNT(DISTINCT staff.staff_id)" in told
    assert "chain.staff_tags is read because it joins the others, and was not linked" in answer.doubts


def test_how_many_times_a_week_is_a_column_of_its_own() -> None:
    told = sql("Which staff visit North, and how many times a week?", STAFF, SHOPS)
    assert told.startswith("SELECT staff.full_name, staff.visits_per_week FROM chain.staff")


def test_a_table_out_of_use_is_never_certain() -> None:
    answer = written("How many old staff are there?", STAFF_OLD)
    assert "chain.staff_old looks as if it were out of use" in answer.doubts


def test_rows_that_share_a_name_stay_rows_of_their_own() -> None:
    # Two shops are called South.
    told = sql("Which shops are there, and how many staff work in each?", STAFF, SHOPS)
    assert told.endswith("GROUP BY shops.shop_name, shops.shop_id")


def test_a_time_is_of_the_rows_that_are_many() -> None:
    answer = written("How many staff have badges in December 2025?", STAFF, BADGES)
    assert "badges.month >= 202512" in answer.sql
