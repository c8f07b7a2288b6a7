"""Number of table reads of a scan, from DuckDB's query plan."""

import pytest

from tests.profile.statements import ScannedTable, Scanner

TYPES = (
    "bigint",
    "double",
    "varchar",
    "date",
    "timestamp",
    "boolean",
    "decimal(10, 2)",
    "blob",
    "json",
    "integer[]",
)


def make_table(scanner: Scanner, name: str, column_count: int) -> None:
    columns = ", ".join(f"c{number} {TYPES[number % len(TYPES)]}" for number in range(column_count))
    scanner.connection.execute(f"create table {name} ({columns})")
    scanner.connection.execute(f"insert into {name} (c0) select range from range(50)")


@pytest.mark.parametrize(
    "row_count", [50, 1_000_000], ids=["all rows sampled", "some rows sampled"]
)
def test_one_statement_reads_a_table_once_for_all_measures_of_a_hundred_columns(
    scanner: Scanner, row_count: int
) -> None:
    make_table(scanner, "wide", 100)
    [statement] = scanner.statements(ScannedTable("wide", row_count))
    assert scanner.table_scans(statement) == ["wide"]
    assert len(scanner.execute([statement])) == 100


def test_a_table_of_250_columns_takes_three_statements_of_one_scan_each(scanner: Scanner) -> None:
    scanner.connection.execute(
        f"create table wide ({', '.join(f'c{number} bigint' for number in range(250))})"
    )
    statements = scanner.statements(ScannedTable("wide"))
    assert [scanner.table_scans(statement) for statement in statements] == [["wide"]] * 3


def test_several_small_tables_share_a_statement_and_each_is_read_once(scanner: Scanner) -> None:
    names = [f"small_{number}" for number in range(5)]
    for number, name in enumerate(names):
        make_table(scanner, name, 30)
        scanner.connection.execute(f"update {name} set c2 = '{number}'")
    statements = scanner.statements(*map(ScannedTable, names))
    scans = [scanner.table_scans(statement) for statement in statements]
    assert scans == [["small_0", "small_1", "small_2"], ["small_3", "small_4"]]
    found = scanner.execute(statements)
    assert [found[name, "c2"]["top_values"] for name in names] == [
        [(str(number), 50)] for number in range(5)
    ]
    assert {found[name, "c2"]["attempt_id"] for name in names} == {
        f"run.{place}" for place in range(1, 6)
    }


def test_a_large_table_and_a_view_have_a_statement_of_their_own(scanner: Scanner) -> None:
    for name in ("small_1", "large", "small_2"):
        make_table(scanner, name, 3)
    scanner.connection.execute("create view seen as select * from small_1 where c0 > 9")
    statements = scanner.statements(
        ScannedTable("small_1"),
        ScannedTable("large", 20_001),
        ScannedTable("small_2"),
        ScannedTable("seen", None, "view"),
    )
    # How large a sample of a view is depends on how many rows it has: they are counted first.
    assert [scanner.table_scans(statement) for statement in statements] == [
        ["small_1", "small_2"],
        ["large"],
        ["small_1", "small_1"],
    ]
