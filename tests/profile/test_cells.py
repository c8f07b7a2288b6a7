"""Small tables scanned in one statement give the same profiles as single scans."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.profile.statements import Profile, ScannedTable, Scanner

# Values of each type, odd ones among them.
COLUMNS: dict[str, tuple[str, Sequence[str]]] = {
    "tiny": ("tinyint", ["-128", "127", "0", "1"]),
    "whole": (
        "bigint",
        [
            "9223372036854775807",
            "9223372036854775806",
            "-9223372036854775808",
            "-9223372036854775807",
        ],
    ),
    "below": (
        "bigint",
        ["-9223372036854775805", "-9223372036854775806", "-9223372036854775804", "-900"],
    ),
    "huge": (
        "hugeint",
        [
            "170141183460469231731687303715884105727",
            "170141183460469231731687303715884105726",
            "-7",
        ],
    ),
    "unsigned": ("ubigint", ["18446744073709551615", "18446744073709551614", "3"]),
    "widest": (
        "uhugeint",
        ["340282366920938463463374607431768211455", "340282366920938463463374607431768211454"],
    ),
    "money": ("decimal(12, 2)", ["0.10", "-0.10", "0.00", "9999999999.99", "-12.5"]),
    "exact": (
        "decimal(38, 4)",
        ["99999999999999999999.0001", "99999999999999999999.0002", "100000000000000000000", "-5"],
    ),
    "digits": ("decimal(20, 0)", ["99999999999999999999", "99999999999999999998", "7"]),
    "real": ("double", ["nan", "inf", "-inf", "0.0", "-0.0", "1e300", "-1e-300", "1.5", "0.1"]),
    "share": ("float", ["nan", "inf", "0.1", "0.3", "-0.0", "3e38"]),
    "infinite": ("double", ["nan", "inf", "-inf"]),
    "letters": (
        "varchar",
        ["", " ", "a", "B", "é", "Ж", "漢", "🦆", "Z-9", "\x1f", "a\x1fb", "tab\there", "\n", "½"],
    ),
    "long_text": (
        "varchar",
        ["short", "x" * 256, "y" * 257, "y" * 258, "ünï" * 200, "Straße 12 " * 4],
    ),
    "too_long": ("varchar", ["z" * 300, "zz" * 300, "a" * 300]),
    "secrets": (
        "varchar",
        ["sk_live_abcdefgh12345678" + "q" * 300, "sk_live_abcdefgh1234" + "w" * 300],
    ),
    "mail": ("varchar", ["ann@example.org", "bob@example.org", "carl@example.org", "unknown"]),
    "phone": ("varchar", ["+49 30 1234567", "(030) 9876543", "030 1112223", "n/a"]),
    "card_number": ("bigint", ["4111111111111111", "5500005555555559", "340000000000009"]),
    "one_address": ("varchar", ["alpha", "beta", "gamma", "delta", "zz@example.org"]),
    "flag": ("boolean", ["true", "false"]),
    "day": (
        "date",
        ["infinity", "-infinity", "0044-03-15 (BC)", "290000-01-01", "2024-02-29", "1969-12-31"],
    ),
    "old_days": ("date", ["1600-01-01", "1599-12-31", "0044-03-15 (BC)", "0045-03-15 (BC)"]),
    "moment": (
        "timestamp",
        ["infinity", "2024-02-29 10:00:00", "2024-02-29 10:00:00.5", "1960-01-01 00:00:00.000001"],
    ),
    "exact_moment": (
        "timestamp_ns",
        ["2024-02-29 10:00:00.123456789", "2024-02-29 10:00:00.12345678", "1700-01-01"],
    ),
    "zoned": ("timestamptz", ["2024-02-29 10:00:00+02", "2024-02-29 09:00:00+00", "infinity"]),
    "second": ("timestamp_s", ["2024-02-29 10:00:00", "1969-01-01"]),
    "hour": ("time", ["08:15:00", "08:15:00.5", "24:00:00", "00:00:00"]),
    "key": (
        "uuid",
        ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "00000000-0000-0000-0000-000000000000"],
    ),
    "grade": ("varchar", ["good", "bad", "a"]),
    "bytes": ("blob", [r"\x00\xff", "abc", ""]),
    "bits": ("bit", ["101", "1", "11111111111"]),
    "endless": ("varchar", ["1234567890123456789012345678901234567890", "-5", "17"]),
    "span": ("interval", ["1 day", "2 months"]),
    "nothing": ("integer", ["null"]),
    "nothing_written": ("varchar", ["null"]),
    "value": ("varchar", ["named as a cell is"]),
    "number": ("integer", ["1", "2"]),
    "column_number": ("integer", ["10", "9"]),
    "api_key": ("varchar", ["k1", "k2", "null"]),
    "api_key_days": ("date", ["2024-01-01", "2024-01-02"]),
    "nickname": ("varchar", ["Ann-1", "Bob-22"]),
    "nicknumber": ("integer", ["12", "345", "-6"]),
    "diary": ("varchar", ["left out"]),
    "a.b": ("integer", ["1"]),
    'it\'s "so"': (
        "varchar",
        ["it's", 'a "quote"', "back\\slash", "{{ 1 }}", "$$", "ann@example.org"],
    ),
}
SIZES = {"empty": 0, "single": 1, "few": 7, "dozens": 60, "shown": 40}
VARIABLES: dict[str, object] = {
    "hide_columns": ["*.api_key*"],
    "mask_columns": ["*.nick*"],
    "exclude_columns": ["*.diary"],
    "show_columns": ["*.shown.*"],
    "top_values": 5,
}
# Their last digit depends on the order in which they are summed.
SUMMED = ("mean", "deviation", "monotonicity", "entropy")


def fill(scanner: Scanner, table: str, row_count: int) -> None:
    """A table of all columns, each with its values and nulls at random."""
    dealt = random.Random(table)
    types = [kind for kind, _ in COLUMNS.values()]
    names = ['"' + name.replace('"', '""') + '"' for name in COLUMNS]
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
    scanner.connection.execute(f"create table {table} ({columns})")
    values = ", ".join(f"cast(nullif(?, 'null') as {kind})" for kind in types)
    for _ in range(row_count):
        row = [dealt.choice([*values, "null"]) for _, values in COLUMNS.values()]
        scanner.connection.execute(f"insert into {table} values ({values})", row)


def both_ways(
    scanner: Scanner, *tables: ScannedTable, **others: object
) -> tuple[dict[Any, Profile], dict[Any, Profile]]:
    """Results of one statement over all tables, and of one statement per table."""
    variables = VARIABLES | others
    [together] = scanner.statements(*tables, **variables)
    assert "with cells as" in together
    alone = scanner.statements(*(replace(table, state="retry") for table in tables), **variables)
    assert not any("with cells as" in statement for statement in alone)
    return scanner.execute([together]), scanner.execute(alone)


def assert_same(found: dict[Any, Profile], expected: dict[Any, Profile]) -> None:
    assert found.keys() == expected.keys()
    for path, profile in expected.items():
        for name, value in profile.items():
            is_summed = name in SUMMED and value is not None
            same = pytest.approx(value, rel=1e-9, abs=1e-9) if is_summed else value
            assert name == "scanned_at" or found[path][name] == same, (path, name)


def test_a_table_among_others_is_measured_as_by_itself(scanner: Scanner) -> None:
    for name, row_count in SIZES.items():
        fill(scanner, name, row_count)
    found, expected = both_ways(scanner, *(ScannedTable(*size) for size in SIZES.items()))
    assert len(expected) == len(SIZES) * len(COLUMNS)
    assert_same(found, expected)


def test_columns_of_thousands_of_values_are_measured_as_in_a_table_by_itself(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table many as select range as id, 'value ' || (range * 7919 % 5003) as words,"
        " md5(range::varchar) as hash,"
        " (range * 7919 % 1009)::varchar || case when range % 3 = 0 then ' km' else '-Mi' end as shaped,"
        " range % 250 as grade, ln(1 + range) as curve, date '2020-01-01' + (range % 777)::int as day from range(9000)"
    )
    scanner.connection.execute("create table little as select 'one' as word")
    assert_same(*both_ways(scanner, ScannedTable("many", 9000), ScannedTable("little", 1)))


@pytest.mark.parametrize(("top_values", "short", "long"), [(200, 200, 25), (40, 40, 25), (5, 5, 5)])
def test_more_values_are_kept_of_short_texts_than_of_others(
    scanner: Scanner, top_values: int, short: int, long: int
) -> None:
    scanner.connection.execute(
        "create table many as select 'value ' || range as short, range || repeat('x', 61) as long, range as number,"
        " date '2020-01-01' + range::int as day from range(300)"
    )
    both = both_ways(scanner, ScannedTable("many", 300), top_values=top_values)
    for found in both:
        kept = {path: len(profile["top_values"]) for (_, path), profile in found.items()}
        assert kept == {"short": short, "long": long, "number": long, "day": long}
    assert_same(*both)


def test_a_table_with_a_document_has_a_statement_of_its_own(scanner: Scanner) -> None:
    scanner.connection.execute("create table plain as select 1 as id")
    scanner.connection.execute(
        """create table written as select 1 as id, '{"a": 1}'::json as document"""
    )
    scanner.connection.execute("create table other as select 2 as id")
    statements = scanner.statements(*(ScannedTable(name) for name in ("plain", "written", "other")))
    assert [scanner.table_scans(statement) for statement in statements] == [
        ["other", "plain"],
        ["written"],
    ]


def test_of_a_table_of_which_nothing_may_be_read_the_columns_are_listed(scanner: Scanner) -> None:
    scanner.connection.execute("create table secret as select 1 as a, 'x' as b")
    found = scanner.execute(
        scanner.statements(ScannedTable("secret"), exclude_columns=["*.secret.*"])
    )
    assert [(path, row["privacy"], row["row_count"]) for (_, path), row in found.items()] == [
        ("a", "exclude", None),
        ("b", "exclude", None),
    ]


def test_shapes_hold_no_letter_and_no_digit_whatever_lies_between_them(scanner: Scanner) -> None:
    texts = [
        "XJK-204",
        "Bernd's",
        "a\x1fb",
        "\x1f",
        "Łódź 7",
        "漢字",
        "tab\there",
        "½ + ٣",
        "Line\nTwo",
        "x" * 40,
        "",
    ]
    scanner.connection.execute("create table texts (body varchar)")
    scanner.connection.executemany("insert into texts values (?)", [[text] for text in texts])
    shapes = [
        "AAA-999",
        "Aaaaa'a",
        "aaa",
        "a",
        "Aaaa 9",
        "aa",
        "aaa\taaaa",
        "9 + 9",
        "Aaaa\nAaa",
        "a" * 32 + "...",
        "",
    ]
    for state in ("new", "retry"):
        statements = scanner.statements(
            ScannedTable("texts", 11, state=state), show_columns=["*"], patterns=20
        )
        [profile] = scanner.execute(statements).values()
        assert sorted(profile["patterns"]) == sorted((shape, 1) for shape in shapes)
