"""Escaping of names and texts."""

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from linker.text.escaping import one_line, quoted

connection = duckdb.connect()


@given(st.text(min_size=1).filter(lambda name: name.isprintable()))
def test_a_quoted_name_is_read_back_by_the_warehouse_as_that_name(name: str) -> None:
    described = connection.execute(f"select 1 as {quoted(name)}").description
    assert described[0][0] == name


def test_every_word_that_duckdb_reserves_is_quoted() -> None:
    reserved = connection.execute(
        "select distinct keyword_name from duckdb_keywords() where keyword_category = 'reserved'"
    ).fetchall()
    assert [word for (word,) in reserved if quoted(word) == word] == []


@given(st.text())
def test_one_line_leaves_no_control_character_and_no_line_break(text: str) -> None:
    assert all(
        character.isprintable() or character == " " or ord(character) > 127
        for character in one_line(text)
    )
    assert len(one_line(text).splitlines()) <= 1
