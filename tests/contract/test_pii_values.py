"""PII detection in values, against implementations in Python, in every warehouse."""

import random
import string
from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expressions import Expressions

KIND = "{{ linker.personal_data('value', 'hint') }}"
PREVAILING = "{{ linker.prevailing_personal_data('kind', 'row_count') }}"
# Few statements over many values: DuckDB needs as long to begin one as for a hundred values.
in_batches = settings(max_examples=5, deadline=None)


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text(string.digits, min_size=count, max_size=count)


# Values in warehouses that are no PII.
words = st.text(string.ascii_lowercase, min_size=2, max_size=9)
small = st.integers(0, 99)
of_nobody = {
    "integer": st.integers(-(10**10) + 1, 10**10 - 1).map(str),
    "decimal": st.decimals(-(10**9), 10**9, allow_nan=False, places=4).map(str),
    "float": st.floats(allow_nan=False).map(str),
    "article": digits(13),
    "timestamp": st.datetimes().map(str),
    "timestamp of ISO": st.datetimes().map(lambda moment: moment.isoformat() + "+02:00"),
    "microseconds since 1970": st.integers(10**15, 2 * 10**15 - 1).map(str),
    "German date": st.dates(date(1000, 1, 1)).map(lambda day: day.strftime("%d.%m.%Y")),
    "time": st.times().map(str),
    "uuid": st.uuids().map(str),
    "digest": st.uuids().map(lambda one: one.hex),
    "network": st.ip_addresses().map(str),
    "code": st.builds("{}-{}".format, words.map(str.upper), st.integers(0, 10**6)),
    "order": st.builds(
        "{}-{}-{:05}".format, words, st.integers(2000, 2030), st.integers(0, 99_999)
    ),
    "page": st.builds("https://{}.com/@{}/p/12".format, words, words),
    "package": st.builds("{}@{}.{}.0".format, words, small, small),
    "repository": st.builds("git@{}.com:{}.git".format, words, words),
    "latitude": st.floats(-90, 90).map("{:+.6f}".format),
    "sentence": st.builds("{} {}s on the way, {} %".format, small, words, small),
}


def those(*names: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.one_of(*(of_nobody[name] for name in names)), min_size=20, max_size=60)


def surely(
    expressions: Expressions, values: list[str], hint: str | None = None
) -> dict[str, object]:
    """What each text surely is; what only a column full of it would be is none."""
    found = expressions.of_each(KIND, values, hint)
    return {
        value: None if str(kind).endswith("?") else kind
        for value, kind in zip(values, found, strict=True)
    }


@settings(max_examples=20, deadline=None)
@given(those(*of_nobody))
def test_look_alikes_are_of_nobody(expressions: Expressions, values: list[str]) -> None:
    assert surely(expressions, values) == dict.fromkeys(values)


@in_batches
@given(those("decimal", "timestamp", "German date", "network", "uuid", "latitude"))
def test_a_column_called_phone_may_hold_something_else(
    expressions: Expressions, values: list[str]
) -> None:
    assert surely(expressions, values, hint="phone") == dict.fromkeys(values)


EMAILS = [
    "a@b.de",
    "Jürgen.Müller@müller-bau.de",
    "<o'neil+shop@mail.example.co.uk>",
    "call me or write to x_1@y.io, please",
]
PHONES = [
    "+49 151 23456789",
    "+4915123456789",
    "+1 (555) 123-4567",
    "(555) 223-4567",
    "+33 1 99 00 11 22",
    "+49 (0)30 5550142",
]
# Of these a column must be full, or its name must say that they are telephone numbers.
PHONES_AT_HOME = [
    "0151/12345678",
    "01 23 45 67 89",
    "555-223-4567",
    "555.223.4567 x12",
    "030 5550142",
    "415-555-0123",
    "0151 1234567",
    "089 / 123456",
    "07700 900123",
    "0049 151 1234567",
    "020 7946 0958",
    "(089) 1234567",
    "06-12345678",
    "079 123 45 67",
    "03-1234-5678",
    "0412 345 678",
    "347 1234567",
    "612 34 56 78",
    "138 1234 5678",
    "98765 43210",
    "(11) 98765-4321",
    "8 (495) 123-45-67",
    "01512345678",
    "0612345678",
    "07911123456",
    "1-415-555-0123",
]
NO_PHONES = [
    "12.05.2024",
    "2024-01-31",
    "05 12 2024",
    "0069-2587-10",
    "0403.019.261",
    "978-3-16-148410-0",
    "012345678905",
    "04465-33471",
    "01-2024-000123",
    "123-456-7890",
    "48.137154",
    "10.0.19041.1",
    "732 829 320",
    "0.12345678",
    "08:15:00",
    "112-1234567-1234567",
]
IPS = [
    "84.17.123.200",
    "192.168.100.20",
    "10.88.250.200:8080",
    "2001:db8::1f",
    "fe80::1",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
]
NO_IPS = ["1.2.3.4", "10.0.19041.1", "2.16.840.1", "08:15:00", "00:1b:44:11:3a:b7", "a::b::c", "::"]
PEOPLE = [
    "Anna Schmidt",
    "Müller, Anna",
    "Dr. Elena Rossi",
    "John F. Smith",
    "Ludwig van Berger",
    "Priya",
    "MARIA GARCIA",
    "Jean-Pierre Dubois",
    "Katarzyna Nowak",
    "Ahmed Hassan",
]
NO_PEOPLE = [
    "Oak Dining Table",
    "Müller GmbH",
    "Paris",
    "red",
    "Anna 2.0",
    "Smith & Sons Inc",
    "open",
    "Stanford University",
]
ADDRESSES = [
    "221B Baker Street",
    "12 Main St.",
    "12 Main St, Springfield",
    "1600 Pennsylvania Ave NW",
    "P.O. Box 123",
    "to Hauptstraße 12a, 10115 Berlin",
    "Berliner Str. 5",
    "Königsallee 27",
    "Keizersgracht 123",
    "Storgatan 5",
    "12 rue de la Paix",
    "12 bis, avenue Foch",
    "Calle Mayor 5",
    "Via Roma 12",
    "ul. Marszałkowska 10",
    "Rua Augusta 1200",
    "Canyon Rd 7",
    "Granville St 66",
    "Rue Sherbrooke 30",
    "Allée des Tilleuls 28",
    "桜通り 198",
    "北京路12号",
]
# Split in two, so that secret scanners do not report them.
_RANDOM = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z"
CREDENTIALS = [
    "sk_" + f"live_{_RANDOM}",
    "sk-" + "live-4f9a8b7c6d5e",
    "rk_" + "test_4f9a8b7c6d5e",
    "sk-" + f"proj-{_RANDOM}",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "gh" + f"p_{_RANDOM}",
    "github_" + f"pat_{_RANDOM}",
    "glpat" + f"-{_RANDOM}",
    "xox" + "b-1234567890-abc",
    "AI" + f"za{_RANDOM}SyD",
    "hf" + f"_{_RANDOM}",
    "npm" + f"_{_RANDOM}",
    "ey" + "JhbGciOiJI.ey" + "JzdWIiOiIx.c2ln",
    "postgres://shop:hunter2@db.example:5432/shop",
    "-----BEGIN RSA " + "PRIVATE KEY-----",
    "token=gh" + f"p_{_RANDOM} of the robot",
    "SG" + f".{_RANDOM}.{_RANDOM}",
]
KEYS = [
    "cus_NffrFeUfNV2Hib",
    "6rqhFgbbKwnb9MLmUQDhG6",
    "ChIJN1t_tDeuEmsRUsoyG83frY4",
    "pk_" + "live_4f9a8b7c6d5e",
    "d41d8cd98f00b204e9800998ecf8427e",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "sk-1234",
    "task_live_update",
    "risk_test_result_of_2024",
    "https://shop.example/a:b",
    "AKIABC",
    "s3://bucket/key",
]
PASSWORD_HASHES = [
    "$2b$12$" + "abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
    "$argon2id$v=19$m=65536,t=3,p=4$" + "c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG",
    "pbkdf2_sha256$260000$" + "abcdefghij$Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
    "pbkdf2:sha256:600000$" + "salt1234$5f4dcc3b5aa765d61d8327deb882cf99",
    "scrypt:32768:8:1$" + "salt1234$5f4dcc3b5aa765d61d8327deb882cf99",
    "$6$rounds=5000$" + "saltsalt$hFp1vFnhEsqXKWJ0jHdJhQp",
    "{SSHA}" + "W6ph5Mm5Pz8GgiULbPgzG37mj9g1b2c3",
    "$P$B" + "12345678abcdefghijklmnopqrstu0",
    "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19",
]
LINKS = [
    "https://hooks.slack.com/" + "services/T0AB1CD2E/B0AB1CD2E/x1y2",
    "https://discord.com/api/" + "webhooks/123456789/abcDEF",
    "https://shop.webhook.office.com/" + "webhookb2/1b2c",
    "https://app.example/reset?token=" + "a1b2c3d4e5f6a7b8",
    "https://app.example/login?user=3&api_key=" + "a1b2c3d4e5f6",
    "https://app.example/password/reset/" + "a1b2c3d4e5f6a7b8c9d0e1",
]
NO_LINKS = [
    "https://shop.example/p?color=red&size=10",
    "https://example.com/a/b?page=12345678",
    "https://hooks.example/services/T0",
    "https://docs.example/reset-a-password",
    "$2 off",
    "{id}",
    "https://example.com/search?keyword=chairs-for-two",
]
NATIONAL_IDS = [
    "123-45-6789",
    "AB 12 34 56 C",
    "RSSMRA85T10A562S",
    "BOXW310820HNERXN09",
    "756.1234.5678.97",
]


@pytest.mark.parametrize(
    ("kind", "values", "hint"),
    [
        ("email", EMAILS, None),
        ("phone", PHONES, None),
        ("phone", [*PHONES_AT_HOME, "5551234567"], "phone"),
        ("phone?", PHONES_AT_HOME, None),
        (None, NO_PHONES, None),
        (None, [*PHONES_AT_HOME, *PEOPLE], "thing"),
        ("ip?", IPS, None),
        ("ip", [*IPS, "1.2.3.4"], "ip"),
        (None, NO_IPS, None),
        ("name?", PEOPLE, None),
        (None, NO_PEOPLE, None),
        ("name", [*PEOPLE, "Ottilie7", "小明"], "name"),
        (None, ["", "-", "/"], "name"),
        ("birth_date", ["1980-03-12", "12.3.80", "19800312"], "birth_date"),
        ("address", ["Hauptstraße", "Main Street 5"], "street"),
        ("address", ADDRESSES, None),
        ("address", ["Unter den Linden 77", "77 Acacia", "4/12 Nguyễn Trãi"], "address"),
        (None, ["Berlin", "10115", "https://example.com/12", "Street"], "address"),
        ("credential", CREDENTIALS, None),
        ("credential", PASSWORD_HASHES, None),
        ("credential", LINKS, "thing"),
        (None, NO_LINKS, "thing"),
        (None, KEYS, "thing"),
        ("national_id?", ["AB123456C", "86095742719", "86 095 742 719", "2341 2341 2346"], None),
        ("national_id?", ["86095742719", "234123412346"], "number"),
        ("card?", ["4111111111111111"], "number"),
        (None, ["12345678901", "4111111111111112", "86095742718", "234123412347", "42"], "number"),
        ("random", [_RANDOM + "Ab", f"{_RANDOM}/+{_RANDOM}=="], None),
        ("national_id", NATIONAL_IDS, None),
        (
            None,
            [
                "666-45-6789",
                "123-00-6789",
                "123-45-0000",
                "900-45-6789",
                "BG 12 34 56 E",
                "12345678A",
            ],
            None,
        ),
        (
            "national_id",
            [
                "111222333",
                "86095742719",
                "07 081003 S 590",
                "AB123456C",
                "19850312-1234",
                "C01X00T47",
            ],
            "national_id",
        ),
        (None, ["12345", "unknown", "n/a"], "national_id"),
        ("card", ["4111 1111 1111 1112", "4222222222222"], "card"),
        ("iban", ["DE84 2149 4286 4363 6115 20"], "iban"),
        (None, ["DE84 2149 4286 4363 6115 20", "4222222222222", "4111 1111 1111 1112"], None),
        (
            None,
            [
                "Omeprazole 20 MG DR Capsule",
                "via DHL 12 times",
                "Spring 2024",
                "String 12",
                "2 people took place",
            ],
            None,
        ),
        (None, ["", " ", "unknown", "Ænima"], None),
    ],
)
def test_what_people_write(
    expressions: Expressions, kind: str | None, values: list[str], hint: str | None
) -> None:
    found = expressions.of_each(KIND, values, hint)
    assert dict(zip(values, found, strict=True)) == dict.fromkeys(values, kind)


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        ("ask jane.doe@corp.example, or o'neil+x@a.co.uk.", "ask (masked), or (masked)."),
        ("<bob@corp.example> and @bob", "<(masked)> and @bob"),
        (f"by {CREDENTIALS[0]}, then {CREDENTIALS[4]}.", "by (masked), then (masked)"),
        ("tel +49 89 55501234, password " + "ZQXCOMPW77.", "tel (masked), password (masked)"),
        ("call 415-555-0123 or 089 / 123456", "call (masked) or (masked)"),
        ("api key: " + "a1b2c3d4; rotate", "api key: (masked); rotate"),
        (
            "since 2024-01-31, 1,000 rows at 12.5 %, ISO 3166-1",
            "since 2024-01-31, 1,000 rows at 12.5 %, ISO 3166-1",
        ),
        ("password of the user, a token for 2 days", "password of the user, a token for 2 days"),
        ("see postgres://shop:hunter2@db.example:5432/shop", "see (masked):5432/shop"),
        (f"key:\n{CREDENTIALS[14]}\nMIIE\n", "key:\n(masked)"),
        ("the sum of a@b, per 1,000", "the sum of a@b, per 1,000"),
        (None, None),
    ],
)
def test_a_comment_is_kept_without_addresses_and_credentials(
    expressions: Expressions, comment: str | None, kept: str | None
) -> None:
    assert expressions.of_each("{{ linker.clean_comment('value') }}", [comment]) == [kept]


def counts_of(values: Iterable[object], count: int = 1) -> dict[str, int]:
    return {str(value): count for value in values}


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("email", counts_of(f"user{number}@mail.example" for number in range(100))),
        (
            "email",
            counts_of(f"user{number}@mail.example" for number in range(5))
            | {"unknown": 10_000, "n/a": 5_000},
        ),
        ("email", {"info@shop.example": 900} | counts_of(range(200))),
        ("credential", counts_of(CREDENTIALS) | counts_of(range(20))),
        (None, {CREDENTIALS[0]: 1} | counts_of(range(20))),
        (
            None,
            counts_of(f"user{number}@mail.example" for number in range(20)) | counts_of(range(80)),
        ),
        (None, {"open": 10, "closed": 20}),
        ("phone", counts_of(PHONES_AT_HOME) | {"unknown": 90}),
        (None, counts_of(PHONES_AT_HOME) | counts_of(range(20))),
        ("name", counts_of(PEOPLE) | counts_of(NO_PEOPLE)),
        (None, counts_of(PEOPLE[:3]) | counts_of(NO_PEOPLE) | counts_of(range(20))),
        ("ip", counts_of(IPS)),
        (None, {}),
    ],
)
def test_a_column_is_personal_from_30_percent_of_its_values_or_rows(
    expressions: Expressions, kind: str | None, counts: dict[str, int]
) -> None:
    assert expressions.of_all(PREVAILING, KIND, counts) == kind


@pytest.mark.parametrize("length", range(6, 20))
def test_a_column_of_numbers_is_not_personal_though_some_pass_a_check(
    expressions: Expressions, length: int
) -> None:
    """Ids that count up from where cards begin, and ids without any order."""
    start = 4 * 10 ** (length - 1) + 12_345
    chosen = random.Random(length)
    for numbers in (
        range(start, start + 200),
        (chosen.randrange(10 ** (length - 1), 10**length) for _ in range(200)),
    ):
        assert expressions.of_all(PREVAILING, KIND, counts_of(numbers)) is None
