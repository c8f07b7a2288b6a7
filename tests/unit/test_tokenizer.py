"""Tokenisation is the same on every code path."""

import re

from hypothesis import given
from hypothesis import strategies as st

from linker.text.words import parts

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
PLURAL_ACRONYM = re.compile(r"(?<=[A-Z][A-Z])s(?![A-Za-z])")


@given(st.text(alphabet="aAbBsS zZ019_-.", max_size=12))
def test_camels_and_acronyms_are_cut_wherever_a_text_has_them(text: str) -> None:
    cut = CAMEL.sub(" ", PLURAL_ACRONYM.sub(" ", text))
    assert parts(text) == re.findall(r"[a-z]+|\d+", cut.lower())
