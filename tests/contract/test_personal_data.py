"""Which texts are personal data, held against implementations in Python, in every warehouse that runs here."""

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
in_batches = settings(max_examples=15, deadline=None)


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text(string.digits, min_size=count, max_size=count)


# What stands in warehouses and is of nobody.
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
    "order": st.builds("{}-{}-{:05}".format, words, st.integers(2000, 2030), st.integers(0, 99_999)),
    "page": st.builds("https://{}.com/@{}/p/12".format, words, words),
    "package": st.builds("{}@{}.{}.0".format, words, small, small),
    "repository": st.builds("git@{}.com:{}.git".format, words, words),
    "latitude": st.floats(-90, 90).map("{:+.6f}".format),
    "sentence": st.builds("{} {}s on the way, {} %".format, small, words, small),
}


def those(*names: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.one_of(*(of_nobody[name] for name in names)), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(those(*of_nobody))
def test_look_alikes_are_of_nobody(expressions: Expressions, values: list[str]) -> None:
    assert dict(zip(values, expressions.of_each(KIND, values), strict=True)) == dict.fromkeys(values)


@in_batches
@given(those("decimal", "timestamp", "German date", "network", "uuid", "latitude"))
def test_a_column_called_phone_may_hold_something_else(expressions: Expressions, values: list[str]) -> None:
    assert dict(zip(values, expressions.of_each(KIND, values, hint="phone"), strict=True)) == dict.fromkeys(values)


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
PHONES_AT_HOME = ["0151/12345678", "01 23 45 67 89", "555-123-4567", "555.123.4567 x12", "5551234567", "030 5550142"]
ADDRESSES = [
    *("221B Baker Street", "12 Main St.", "12 Main St, Springfield", "1600 Pennsylvania Ave NW", "P.O. Box 123"),
    *("to Hauptstraße 12a, 10115 Berlin", "Berliner Str. 5", "Königsallee 27", "Keizersgracht 123", "Storgatan 5"),
    *(
        "12 rue de la Paix",
        "12 bis, avenue Foch",
        "Calle Mayor 5",
        "Via Roma 12",
        "ul. Marszałkowska 10",
        "Rua Augusta 1200",
    ),
    *("Canyon Rd 7", "Granville St 66", "Rue Sherbrooke 30", "Allée des Tilleuls 28", "桜通り 198", "北京路12号"),
]
# In two parts each, so that nobody takes them for credentials of ours.
_RANDOM = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z"
CREDENTIALS = [
    *("sk_" + f"live_{_RANDOM}", "sk-" + "live-4f9a8b7c6d5e", "rk_" + "test_4f9a8b7c6d5e", "sk-" + f"proj-{_RANDOM}"),
    *("AKIA" + "IOSFODNN7EXAMPLE", "gh" + f"p_{_RANDOM}", "github_" + f"pat_{_RANDOM}", "glpat" + f"-{_RANDOM}"),
    *("xox" + "b-1234567890-abc", "AI" + f"za{_RANDOM}SyD", "hf" + f"_{_RANDOM}", "npm" + f"_{_RANDOM}"),
    *("ey" + "JhbGciOiJI.ey" + "JzdWIiOiIx.c2ln", "postgres://shop:hunter2@db.example:5432/shop"),
    *("-----BEGIN RSA " + "PRIVATE KEY-----", "token=gh" + f"p_{_RANDOM} of the robot", "SG" + f".{_RANDOM}.{_RANDOM}"),
]
KEYS = [
    *("cus_NffrFeUfNV2Hib", "6rqhFgbbKwnb9MLmUQDhG6", "ChIJN1t_tDeuEmsRUsoyG83frY4", "pk_" + "live_4f9a8b7c6d5e"),
    *("d41d8cd98f00b204e9800998ecf8427e", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "0x52908400098527886E0F7030069857D2E4169EE7"),
    *(
        "sk-1234",
        "task_live_update",
        "risk_test_result_of_2024",
        "https://shop.example/a:b",
        "AKIABC",
        "s3://bucket/key",
    ),
]
NATIONAL_IDS = ["123-45-6789", "AB 12 34 56 C", "RSSMRA85T10A562S", "BOXW310820HNERXN09", "756.1234.5678.97"]


@pytest.mark.parametrize(
    ("kind", "values", "hint"),
    [
        ("email", EMAILS, None),
        ("phone", PHONES, None),
        ("phone", PHONES_AT_HOME, "phone"),
        (None, PHONES_AT_HOME, None),
        ("address", ADDRESSES, None),
        ("address", ["Unter den Linden 77", "77 Acacia", "4/12 Nguyễn Trãi"], "address"),
        (None, ["Berlin", "10115", "https://example.com/12", "Street"], "address"),
        ("credential", CREDENTIALS, None),
        (None, KEYS, None),
        ("random", [_RANDOM + "Ab", f"{_RANDOM}/+{_RANDOM}=="], None),
        ("national_id", NATIONAL_IDS, None),
        (None, ["666-45-6789", "123-00-6789", "123-45-0000", "900-45-6789", "BG 12 34 56 E", "12345678A"], None),
        (
            "national_id",
            ["111222333", "86095742719", "07 081003 S 590", "AB123456C", "19850312-1234", "C01X00T47"],
            "national_id",
        ),
        (None, ["12345", "unknown", "n/a"], "national_id"),
        ("card", ["4111 1111 1111 1112", "4222222222222"], "card"),
        ("iban", ["DE84 2149 4286 4363 6115 20"], "iban"),
        (None, ["DE84 2149 4286 4363 6115 20", "4222222222222", "4111 1111 1111 1112"], None),
        (
            None,
            ["Omeprazole 20 MG DR Capsule", "via DHL 12 times", "Spring 2024", "String 12", "2 people took place"],
            None,
        ),
        (None, ["", " ", "unknown", "Ænima"], None),
    ],
)
def test_what_people_write(expressions: Expressions, kind: str | None, values: list[str], hint: str | None) -> None:
    found = expressions.of_each(KIND, values, hint)
    assert dict(zip(values, found, strict=True)) == dict.fromkeys(values, kind)


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        ("ask jane.doe@corp.example, or o'neil+x@a.co.uk.", "ask (masked), or (masked)."),
        ("<bob@corp.example> and @bob", "<(masked)> and @bob"),
        (f"by {CREDENTIALS[0]}, then {CREDENTIALS[4]}.", "by (masked), then (masked)"),
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
        ("email", counts_of(f"user{number}@mail.example" for number in range(5)) | {"unknown": 10_000, "n/a": 5_000}),
        ("email", {"info@shop.example": 900} | counts_of(range(200))),
        ("credential", counts_of(CREDENTIALS) | counts_of(range(20))),
        (None, {CREDENTIALS[0]: 1} | counts_of(range(20))),
        (None, counts_of(f"user{number}@mail.example" for number in range(20)) | counts_of(range(80))),
        (None, {"open": 10, "closed": 20}),
        (None, {}),
    ],
)
def test_a_column_is_personal_from_30_percent_of_its_values_or_rows(
    expressions: Expressions, kind: str | None, counts: dict[str, int]
) -> None:
    assert expressions.of_all(PREVAILING, KIND, counts) == kind


@pytest.mark.parametrize("length", range(6, 20))
def test_a_column_of_numbers_is_not_personal_though_some_pass_a_check(expressions: Expressions, length: int) -> None:
    """Ids that count up from where cards begin, and ids without any order."""
    start = 4 * 10 ** (length - 1) + 12_345
    chosen = random.Random(length)
    for numbers in (range(start, start + 200), (chosen.randrange(10 ** (length - 1), 10**length) for _ in range(200))):
        assert expressions.of_all(PREVAILING, KIND, counts_of(numbers)) is None
