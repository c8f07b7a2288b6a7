"""NaN, dates out of range and very long values."""

import math

import pytest

from tests.profile.statements import ScannedTable, Scanner


def test_numbers_that_are_none_count_as_values_and_leave_mean_and_ends_alone(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table odd as select unnest(['nan', 'inf', '-inf', '1', '3', '1e300', null]::double[]) as a,"
        " unnest(['nan', 'inf', null, '2', '2', '4', '0']::float[]) as b"
    )
    found = scanner.scan("odd")
    assert (found["a"]["value_count"], found["a"]["distinct_count"]) == (6, 6)
    assert (float(found["a"]["min_value"]), float(found["a"]["max_value"])) == (1, 1e300)
    # A number that cannot be squared is left out of the moments.
    assert (found["a"]["mean"], found["a"]["deviation"]) == (2, pytest.approx(math.sqrt(2)))
    assert (found["b"]["mean"], found["b"]["min_value"], found["b"]["max_value"]) == (
        2,
        "0.0",
        "4.0",
    )
    assert found["b"]["quantiles"][0] == 0
    assert found["b"]["quantiles"][20] == 4


def test_zero_is_one_value_with_or_without_a_sign(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table zeros as select unnest(['-0.0', '0.0', '1', '-0.0']::double[]) as a,"
        " unnest(['-0.0', '-0.0', null, '-0.0']::float[]) as b, [cast('-0.0' as double), 0.0::double] as c,"
        " unnest(['0.00', '-0.00', '1.50', null]::decimal(6, 2)[]) as d"
    )
    found = scanner.scan("zeros")
    assert found["a"]["top_values"] == [("0.0", 3), ("1.0", 1)]
    assert (found["a"]["min_value"], found["a"]["distinct_count"]) == ("0.0", 2)
    assert (found["b"]["min_value"], found["b"]["max_value"]) == ("0.0", "0.0")
    assert found["c"]["top_values"] == [("0.0", 8)]
    # A decimal number keeps the places that its type has.
    assert found["d"]["top_values"] == [("0.00", 2), ("1.50", 1)]


def test_days_beyond_the_calendar_of_python_are_measured(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table old as select unnest(['290000-01-01', '0044-03-15 (BC)', '2024-02-29', 'infinity']::date[])"
        " as day, unnest(['infinity', '-infinity', '2024-02-29 10:00:00', '2024-03-02 10:00:00.5']::timestamp[])"
        " as moment"
    )
    found = scanner.scan("old")
    assert found["day"]["distinct_count"] == 4
    assert found["day"]["day_count"] == 3
    assert found["day"]["min_value"] == "0044-03-15 (BC)"
    assert found["day"]["max_value"] == "infinity"
    assert found["moment"]["day_count"] == 2
    assert found["moment"]["largest_gap_days"] == 2
    # 2024-03-02 10:00:00.5 in seconds since 1970.
    assert found["moment"]["quantiles"][20] == 1709373600.5


def test_of_a_long_text_only_the_length_is_kept(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table texts as select unnest(['short', repeat('long ', 1000), repeat('x', 256), '', 'naïve 🦆'])"
        " as body"
    )
    found = scanner.scan("texts")["body"]
    assert (found["min_length"], found["max_length"]) == (0, 5000)
    assert found["mean_length"] == pytest.approx((5 + 5000 + 256 + 0 + 7) / 5)
    assert sorted(value for value, _ in found["top_values"]) == ["", "naïve 🦆", "short", "x" * 256]
    # What was not kept was not counted either: the number is an estimate, between what was seen and
    # what can be.
    assert not found["distinct_is_exact"]
    assert 4 <= found["distinct_count"] <= 5
    assert max(len(found["min_value"]), len(found["max_value"])) <= 256


def test_long_documents_stay_out_of_the_sample_and_the_profile_says_that_it_is_one(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table events as select cast(unnest(["
        """ '{"kind": "short"}', '{"kind": "just fits", "body": "' || repeat('x', 16384 - 33) || '"}',"""
        """ '{"kind": "too long", "body": "' || repeat('x', 16384) || '"}', null]) as json) as payload"""
    )
    found = scanner.scan("events")
    assert [found["payload"][name] for name in ("row_count", "value_count", "is_sampled")] == [
        4,
        3,
        True,
    ]
    assert (found["payload.kind"]["is_sampled"], found["payload.kind"]["distinct_is_exact"]) == (
        True,
        False,
    )
    assert sorted(value for value, _ in found["payload.kind"]["top_values"]) == [
        "just fits",
        "short",
    ]
    scanner.connection.execute("delete from events where length(payload) > 16384")
    found = scanner.scan("events")
    assert [found[path]["is_sampled"] for path in ("payload", "payload.kind")] == [False, False]


@pytest.mark.parametrize("kind", ["varchar", "json"])
def test_long_values_take_no_memory_that_a_sample_of_them_would_need(
    scanner: Scanner, kind: str
) -> None:
    # 8,000 values of 100,000 characters: of more than there is memory.
    scanner.connection.execute(
        "create view letters as select cast('\"' || range || repeat('x', 100000) || '\"' as "
        + kind
        + ") as body"
        " from range(8000); set memory_limit = '300MB'; set temp_directory = ''; set threads = 1"
    )
    table = ScannedTable("letters", None, "view", columns=(("body", "body", 0, kind),))
    found = scanner.execute(scanner.statements(table))["letters", "body"]
    assert (found["row_count"], found["value_count"]) == (8000, 8000)
    assert not found["top_values"]


def test_texts_that_look_like_sql_or_json_come_back_as_they_are(scanner: Scanner) -> None:
    hostile = ["'; drop table journal; --", '"}], {"value": "', "{{ 1 }}", "\\", "\n", "$$"]
    scanner.connection.execute("create table hostile (body varchar)")
    scanner.connection.executemany("insert into hostile values (?)", [[text] for text in hostile])
    assert scanner.scan("hostile")["body"]["top_values"] == [(text, 1) for text in sorted(hostile)]


def test_whole_numbers_at_the_end_of_their_type_are_kept_to_the_digit(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table ends as select unnest(['-170141183460469231731687303715884105728', '5']::hugeint[]) as huge,"
        " unnest([18446744073709551615::ubigint, 1]) as wide,"
        " unnest(['0.1', '99999999999999999999.5']::decimal(38, 1)[]) as exact"
    )
    found = scanner.scan("ends")
    assert found["huge"]["min_value"] == "-170141183460469231731687303715884105728"
    assert found["wide"]["max_value"] == "18446744073709551615"
    assert found["exact"]["max_value"] == "99999999999999999999.5"
    assert ("18446744073709551615", 1) in found["wide"]["top_values"]


def test_a_float_is_written_as_its_rows_are(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table floats as select unnest(['0.1', '0.3', '-inf', null]::float[]) as share,"
        " unnest([0.1, 1e300, 'nan', 2]::double[]) as ratio"
    )
    found = scanner.scan("floats")
    assert (found["share"]["min_value"], found["share"]["max_value"]) == ("0.1", "0.3")
    assert (found["ratio"]["min_value"], found["ratio"]["max_value"]) == ("0.1", "1e+300")
    assert {value for value, _ in found["share"]["top_values"]} == {"-inf", "0.1", "0.3"}


def test_numbers_inside_of_lists_and_documents_are_kept_to_the_digit(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table inside as select [{'id': 12345678901234567, 'price': 12345678901234567.89::decimal(20, 2)},"
        " {'id': 12345678901234568, 'price': 9.50}, {'id': -98765432109876543, 'price': 10}] as items,"
        """ '{"id": 12345678901234568, "sizes": [1e200, 0.5, 10, 9]}'::json as document"""
    )
    columns = (
        ("items", "items", 0, "STRUCT(id BIGINT, price DECIMAL(20,2))[]"),
        ("items", "items.id", 1, "BIGINT"),
        ("items", "items.price", 1, "DECIMAL(20,2)"),
        ("document", "document", 0, "JSON"),
    )
    found = {
        path: profile
        for (_, path), profile in scanner.execute(
            scanner.statements(ScannedTable("inside", columns=columns), show_columns=["*"])
        ).items()
    }
    ends = {path: (profile["min_value"], profile["max_value"]) for path, profile in found.items()}
    assert ends["items.id"] == ("-98765432109876543", "12345678901234568")
    assert ends["items.price"] == ("9.50", "12345678901234567.89")
    assert ends["document.id"] == ("12345678901234568", "12345678901234568")
    assert ends["document.sizes"][0] == "0.5"
    assert float(ends["document.sizes"][1]) == 1e200
    # A number that cannot be squared is left out of the moments.
    assert found["document.sizes"]["mean"] == 6.5
