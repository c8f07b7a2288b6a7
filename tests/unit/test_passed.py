"""Statements that passed the guard and are checked once: which they are, for how long, and who may say so."""

import json
from pathlib import Path

import pytest

from linker.errors import GuardError
from linker.warehouses.base.passed import checked, remembered

LOOK = "select count(*) -- all\n  from orders"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "passed.json"


def passed(file: Path, *statements: str, dialect: str = "duckdb") -> list[str]:
    with remembered(file):
        return [checked(sql, dialect, 0) for sql in statements]


@pytest.fixture
def exchanged(file: Path) -> Path:
    """A file in which another text stands for the only statement, which says where it comes from."""
    passed(file, LOOK)
    [key] = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({key: "select 'file'"}), "utf-8")
    return file


def test_what_passed_before_is_taken_from_the_file(exchanged: Path) -> None:
    assert passed(exchanged, LOOK) == ["select 'file'"]


def test_what_is_kept_is_the_text_that_was_checked(file: Path) -> None:
    assert passed(file, LOOK) == passed(file, LOOK) == ["select count(*)\nfrom orders"]
    assert "-- all" not in file.read_text("utf-8")


def test_another_text_dialect_or_number_of_parameters_is_checked(exchanged: Path) -> None:
    assert passed(exchanged, "select 1") == ["select 1"]
    assert passed(exchanged, LOOK, dialect="postgres") == ["select count(*)\nfrom orders"]
    with remembered(exchanged), pytest.raises(GuardError, match="it takes 0 parameters, and 1 were given"):
        checked(LOOK, "duckdb", 1)


def test_what_is_refused_is_refused_each_time(file: Path) -> None:
    for _ in range(2):
        with pytest.raises(GuardError, match="it is not a query"):
            passed(file, "select 1", "drop table orders")
    assert list(json.loads(file.read_text("utf-8")).values()) == ["select 1"]


def test_outside_of_a_run_nothing_is_taken_and_nothing_kept(exchanged: Path) -> None:
    before = exchanged.read_bytes()
    passed(exchanged)
    assert checked(LOOK, "duckdb", 0) == "select count(*)\nfrom orders"
    assert exchanged.read_bytes() == before


@pytest.mark.parametrize("content", ["", "no json"])
def test_without_the_file_and_with_a_damaged_one_all_is_checked(file: Path, content: str) -> None:
    passed(file, LOOK)
    file.write_text(content, "utf-8")
    assert passed(file, LOOK) == ["select count(*)\nfrom orders"]


def test_what_others_may_have_written_is_not_believed(exchanged: Path) -> None:
    exchanged.chmod(0o660)
    assert passed(exchanged, LOOK) == ["select count(*)\nfrom orders"]


def test_of_very_much_only_what_the_last_run_needed_is_kept(file: Path) -> None:
    long = [f"select '{letter * 2_400_000}'" for letter in "ab"]
    passed(file, *long)
    assert list(json.loads(file.read_text("utf-8")).values()) == long
    passed(file, long[1], f"select '{'c' * 500_000}'")
    assert [text[8] for text in json.loads(file.read_text("utf-8")).values()] == ["b", "c"]
