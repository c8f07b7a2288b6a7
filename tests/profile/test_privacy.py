"""Private values appear in no profile table, log or dbt file."""

import json
import re
from collections.abc import Callable, Iterable

import pytest

from tests.profile.runs import Run
from tests.profile.statements import ScannedTable, Scanner

FirstRun = tuple[Run, str]
# What the columns of `people` and `hidden_table` hold.
SECRETS = (
    "markersecret",
    "markerhidden",
    "markershape",
    "@example.com",
    "DE89370400440532013000",
    "NWBK60161331926819",
    "4111111111111111",
    "340000000000009",
    "+47 22 86 44",
    "7700177001",
    "1903-03-03",
)


def privacy(run: Run, table: str, paths: Iterable[str]) -> dict[str, tuple[str, str | None]]:
    return {
        path: (run.scan(table, path)["privacy"], run.scan(table, path)["personal_data"])
        for path in paths
    }


@pytest.mark.parametrize("secret", SECRETS)
def test_no_artifact_log_file_or_state_holds_a_value_that_is_masked_or_hidden(
    first_run: FirstRun, secret: str
) -> None:
    assert secret not in first_run[1]


def test_what_is_hidden_is_only_counted(first_run: FirstRun) -> None:
    run, _ = first_run
    for table, path in (
        ("people", "api_key"),
        ("people", "diary"),
        ("people", "contact.api_key"),
        ("hidden_table", "number"),
    ):
        scanned = run.scan(table, path)
        assert scanned["privacy"] == "hide"
        assert scanned["value_count"] == scanned["row_count"] > 0
        known = {name for name, value in scanned.items() if value is not None}
        assert known == {
            "attempt_id",
            "database_name",
            "schema_name",
            "table_name",
            "fingerprint",
            "scanned_at",
            "column_path",
            "is_discovered",
            "value_kind",
            "privacy",
            "row_count",
            "value_count",
            "sample_row_count",
            "is_sampled",
            "distinct_is_exact",
        }


def test_the_statement_does_nothing_with_a_hidden_column_but_count_it(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table vault (id integer, combination varchar, inner_box struct(gold integer))"
    )
    for row_count, kind in ((1, "table"), (1_000_000, "table"), (None, "view")):
        [statement] = scanner.statements(
            ScannedTable(
                "vault",
                row_count,
                kind,
                columns=[
                    ("combination", "combination", 0, "VARCHAR"),
                    ("inner_box", "inner_box", 0, "STRUCT(gold INTEGER)"),
                    ("inner_box", "inner_box.gold", 1, "INTEGER"),
                    ("id", "id", 0, "INTEGER"),
                ],
            ),
            hide_columns=["*.vault.combination", "*.vault.inner_box"],
        )
        uses = [line.strip() for line in statement.splitlines() if re.search(r"\bb[12]\b", line)]
        assert uses == [
            '"combination" as b1,',
            '"inner_box" as b2,',
            "count(b1) as value_count_1,",
            "count(b2) as value_count_2,",
            "count(struct_extract(b2, 'gold')) as value_count_3,",
        ]


def test_the_statement_does_not_name_an_excluded_column_of_the_table_or_what_is_inside_of_it(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table vault as select 1 as id, 'left' as combination, {'gold': 2} as box,"
        " {'a': {'b': 3}, 'c': 4} as shelf"
    )
    columns = [
        ("combination", "combination", 0, "VARCHAR"),
        ("box", "box", 0, "STRUCT(gold INTEGER)"),
        ("box", "box.gold", 1, "INTEGER"),
        ("shelf", "shelf", 0, "STRUCT(a STRUCT(b INTEGER), c INTEGER)"),
        ("shelf", "shelf.a", 1, "STRUCT(b INTEGER)"),
        ("shelf", "shelf.a.b", 2, "INTEGER"),
        ("shelf", "shelf.c", 1, "INTEGER"),
        ("id", "id", 0, "INTEGER"),
    ]
    excluded = ["*.vault.combination", "*.vault.box", "*.vault.shelf.a"]
    for row_count, kind in ((1, "table"), (1_000_000, "table"), (None, "view")):
        table = ScannedTable("vault", row_count, kind, columns=columns)
        [statement] = scanner.statements(table, exclude_columns=excluded)
        assert re.findall(r'"\w+" as b\d', statement) == ['"shelf" as b1', '"id" as b2']
        assert "(b1, 'a')" not in statement
        found = scanner.execute([statement])
        kept = {path for (_, path), scanned in found.items() if scanned["value_count"] is not None}
        assert kept == {"shelf", "shelf.c", "id"}
        assert found["vault", "box.gold"]["distinct_count"] is None


def test_a_table_all_of_whose_columns_are_excluded_is_scanned_without_them(
    scanner: Scanner,
) -> None:
    scanner.connection.execute("create table vault as select 'left' as combination")
    found = scanner.scan("vault", exclude_columns=["*.vault.*"])
    assert (found["combination"]["privacy"], found["combination"]["value_count"]) == (
        "exclude",
        None,
    )


def test_what_meta_hides_is_only_counted_and_what_it_shows_is_not_looked_over(
    make_scanner: Callable[[dict[str, object]], Scanner],
) -> None:
    said = {"diary": "hide", "mail": "show", "mobile": "mask"}
    columns = [
        {"name": name, "config": {"meta": {"linker": {"privacy": privacy}}}}
        for name, privacy in said.items()
    ]
    scanner = make_scanner(
        {"sources": [{"name": "main", "tables": [{"name": "Patients", "columns": columns}]}]}
    )
    scanner.connection.execute(
        "create table patients as select 'dear ' || range as diary, range || '@example.com' as mail,"
        " 'call ' || range as mobile, range || '@example.org' as other_mail from range(50)"
    )
    found = scanner.scan("patients")
    assert {path: profile["privacy"] for path, profile in found.items()} == said | {
        "other_mail": "mask"
    }
    assert found["diary"]["value_count"] == 50
    assert (
        found["diary"]["top_values"]
        is found["diary"]["min_value"]
        is found["diary"]["patterns"]
        is None
    )
    assert found["mail"]["min_value"] == "0@example.com"
    assert found["mobile"]["top_values"] == [("aaaa 99", 40), ("aaaa 9", 10)]


def test_detected_personal_data_is_masked_and_the_rest_is_shown(first_run: FirstRun) -> None:
    run, _ = first_run
    assert privacy(
        run, "people", ("id", "email", "phone", "account", "payment", "nickname", "tier")
    ) == {
        "id": ("show", None),
        "email": ("mask", "email"),
        "phone": ("mask", "phone"),
        "account": ("mask", "iban"),
        "payment": ("mask", "card"),
        "nickname": ("mask", None),
        "tier": ("show", None),
    }
    assert privacy(run, "people", ("contact.mail", "extra.mail")) == dict.fromkeys(
        ("contact.mail", "extra.mail"), ("mask", "email")
    )
    email = run.scan("people", "email")
    assert json.loads(email["top_values"])[0] == {"value": "aaaaaa99@aaaaaaa.aaa", "count": 50}
    assert email["min_value"] is email["max_value"] is email["quantiles"] is None
    assert email["distinct_count"] == 60


def test_show_columns_shows_what_would_be_masked(limited_run: Run) -> None:
    for path in ("email", "account", "payment", "nickname", "contact.mail"):
        scanned = limited_run.scan("people", path)
        assert scanned["privacy"] == "show"
    assert limited_run.scan("people", "email")["min_value"] == "marker0@example.com"
    assert limited_run.scan("people", "payment")["max_value"] == "5500005555555559"


def test_the_values_of_settings_are_hidden_where_one_of_them_is_a_password(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table settings as select * from (values ('smtp_password', 'marker-1'), ('currency', 'EUR')) as s (k, v)"
    )
    scanner.connection.execute(
        "create table themes as select * from (values ('colour', 'red'), ('currency', 'EUR')) as s (k, v)"
    )
    scanner.connection.execute(
        "create table events as select 'forgot_password' as name, 'web' as value"
    )
    found = scanner.execute(
        scanner.statements(*map(ScannedTable, ("settings", "themes", "events")))
    )
    assert {path: row["privacy"] for path, row in found.items()} == {
        ("settings", "k"): "show",
        ("settings", "v"): "hide",
        ("themes", "k"): "show",
        ("themes", "v"): "show",
        ("events", "name"): "show",
        ("events", "value"): "show",
    }
    assert found["settings", "v"]["personal_data"] == "credential"
    assert found["settings", "v"]["top_values"] is found["settings", "v"]["max_value"] is None


def test_what_the_name_says_holds_for_numbers_days_long_texts_and_paths_inside(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table people as select range as id, 19800000 + range as dob,"
        " date '1980-01-01' + range::int as birth_date,"
        " repeat('very ill ', 40) as diagnosis, 491510000000 + range as phone, range % 3 as region,"
        """ '{"user": {"firstName": "Zed' || range || '", "tier": "gold"}}' as raw from range(40)"""
    )
    scanner.connection.execute("alter table people alter raw type json")
    found = scanner.scan("people", 40)
    kinds = {path: row["personal_data"] for path, row in found.items() if row["privacy"] == "mask"}
    assert kinds == {
        "dob": "birth_date",
        "birth_date": "birth_date",
        "diagnosis": "health",
        "phone": "phone",
        "raw.user.firstName": "name",
    }
    assert found["raw.user.tier"]["max_value"] == "gold"
    for path in kinds:
        assert (
            found[path]["min_value"] is found[path]["max_value"] is found[path]["quantiles"] is None
        )


def test_numbers_of_cards_and_persons_are_masked_under_any_name_and_other_numbers_are_not(
    scanner: Scanner,
) -> None:
    scanner.connection.execute(
        "create table numbers as select unnest([4111111111111111, 5500005555555559, 4012888888881881]::bigint[]) as a,"
        " unnest([86095742719, 47036892816, 65929970489]::bigint[]) as b,"
        " unnest([4111111111111112, 4111111111111113, 4111111111111114]::bigint[]) as c,"
        " unnest([20240101000, 20240102000, 20240103000]::bigint[]) as d"
    )
    found = scanner.scan("numbers", 3)
    assert {path: (row["privacy"], row["personal_data"]) for path, row in found.items()} == {
        "a": ("mask", "card"),
        "b": ("mask", "national_id"),
        "c": ("show", None),
        "d": ("show", None),
    }


def test_a_word_that_is_also_a_name_is_shown_among_others(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table titles as select unnest(['Emma', 'Night Ferry', 'Open City', 'Stillwater', 'Red Desert']) as t"
    )
    found = scanner.scan("titles", 5)["t"]
    assert found["privacy"] == "show"
    assert ("Emma", 1) in found["top_values"]


def test_each_of_200_kept_values_is_checked_for_personal_data(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table words as select 'word ' || range as w from range(199)"
        " union all select 'zoe@example.org'"
    )
    found = scanner.scan("words", 200)["w"]
    assert found["privacy"] == "show"
    assert len(found["top_values"]) == 200
    assert ("aaa@aaaaaaa.aaa", 1) in found["top_values"]


def test_addresses_that_are_keys_of_a_map_are_no_names_of_columns(scanner: Scanner) -> None:
    scanner.connection.execute(
        "create table logins as select"
        """ ('{"by_user": {"u' || range || '@corp.example": {"count": ' || range || '}}, "day": "mon"}')::json as raw"""
        " from range(30)"
    )
    found = scanner.scan("logins", 30)
    assert set(found) == {"raw", "raw.day", "raw.by_user", "raw.by_user.*", "raw.by_user.*.count"}
    assert found["raw.by_user.*.count"]["value_count"] == 30
    assert found["raw.by_user.*.count"]["max_value"] == "29"
