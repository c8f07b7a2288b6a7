"""Primitives with texts that attempt injection."""

import json

from tests.warehouse.project import Consumer

TEXTS = [
    "it's",
    'a "quote"',
    "back\\slash",
    "\\",
    "back`tick",
    "line\nbreak",
    "tab\there",
    "'; drop table orders; --",
    "$$ $1 %s",
    "ünï ✓ 漢字",
    "",
    "/* no comment */",
    "\\n",
]
FIRST_WORDS = ["it", "a", "back", "", "back", "line", "tab", "drop", "s", "n", "", "no", "n"]


def test_a_literal_a_name_and_a_list_keep_every_character(consumer: Consumer) -> None:
    rows = consumer.rows(
        "hostile_texts", ["place", "content", "first_word", "nothing", "all_texts"]
    )
    rows.sort(key=lambda row: int(row[0]))
    assert [row[1] for row in rows] == TEXTS
    assert [row[2] for row in rows] == FIRST_WORDS
    assert {row[3] for row in rows} == {""}
    assert [json.loads(row[4]) for row in rows] == [TEXTS] * len(TEXTS)
