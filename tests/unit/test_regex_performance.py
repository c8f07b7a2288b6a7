"""Patterns run in linear time on repeated input."""

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from linker.ranking.query_analysis import spelt_names
from linker.text.escaping import MAX_CHARACTERS, escape_prompt, one_line
from linker.text.query_parser import read_text
from linker.text.quoted_and_codes import codes, identifiers, numbers_of, quotations, without_codes
from linker.text.time_expressions import periods_of
from linker.text.values import dates_of, grams, readings, value_key
from linker.text.words import is_english, readable, words_of_text

# fmt: off
UNITS = (
    "a", "A", "aA", "a_", "a.", "1", "-", "'", '"', " ", "a ", "(", "A ", "é", "1,", "1.", "/",
    "@", "a@", "a@a.", "x=", "%", "_", "\n", "`", "[", "{", "<", "2024-", "ab 1 ", "..", ":",
    "(a)", "0x", "$", "0 ", "Aa", "a-", "1-", "A1-", "der ", ", ", "2024 ", "May ", "top 3 ",
)
READERS: tuple[Callable[[str], Any], ...] = (
    spelt_names, codes, identifiers, numbers_of, quotations, without_codes, periods_of, read_text,
    escape_prompt, one_line, dates_of, grams, readings, value_key, is_english, readable,
    words_of_text,
)
# fmt: on
# A mention of a time is compared with those around it: as long as a question may be is enough.
OF_A_QUESTION = (periods_of, read_text)
SECONDS = 3


@pytest.mark.parametrize("read", READERS, ids=lambda read: str(read.__name__))
def test_no_repetition_makes_a_reader_of_questions_slow(read: Callable[[str], Any]) -> None:
    """Ten times as much as is allowed took a quadratic pattern eight seconds."""
    length = MAX_CHARACTERS * (1 if read in OF_A_QUESTION else 10)
    for unit in UNITS:
        text = (unit * length)[:length]
        started = process_time()
        found = read(text)
        if hasattr(found, "__next__"):
            list(found)
        assert process_time() - started < SECONDS, unit
