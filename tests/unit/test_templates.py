"""The code of dbt's macros that is kept between runs: taken by those who wrote it, and without settings in it."""

import marshal
import stat
from pathlib import Path

import pytest
from dbt_common.clients.jinja import get_template

from linker.dbt.templates import compiled_once

GREETING = "{% set name = 'you' %}hello {{ name }}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "templates.marshal"


def rendered(file: Path, text: str) -> str:
    with compiled_once(file):
        return str(get_template(text, {}).render({}))


def exchange(file: Path, code: bytes) -> None:
    """Let the only code that is kept be another one, which says where it comes from."""
    [key] = marshal.loads(file.read_bytes())
    [other] = marshal.loads(code).values()
    file.write_bytes(marshal.dumps({key: other}))


@pytest.fixture
def exchanged(file: Path, tmp_path: Path) -> Path:
    rendered(file, GREETING)
    rendered(tmp_path / "other", "{% set name = 'file' %}hello {{ name }}")
    exchange(file, (tmp_path / "other").read_bytes())
    return file


def test_what_was_compiled_before_is_taken_from_the_file(exchanged: Path) -> None:
    assert rendered(exchanged, GREETING) == "hello file"


def test_without_the_file_and_with_one_that_is_no_code_all_is_compiled(file: Path) -> None:
    assert [rendered(file, GREETING), rendered(file, GREETING)] == ["hello you"] * 2
    for content in (b"", b"no code", marshal.dumps({})[:-1]):
        file.write_bytes(content)
        assert rendered(file, GREETING) == "hello you"


def test_another_text_is_compiled_beside_what_is_kept(exchanged: Path) -> None:
    assert rendered(exchanged, GREETING.replace("you", "me")) == "hello me"
    assert len(marshal.loads(exchanged.read_bytes())) == 2


def test_code_that_others_may_write_is_not_run(exchanged: Path) -> None:
    assert stat.S_IMODE(exchanged.stat().st_mode) == 0o600
    exchanged.chmod(0o660)
    assert rendered(exchanged, GREETING) == "hello you"


def test_settings_such_as_passwords_are_not_kept(file: Path) -> None:
    assert rendered(file, "hunter2 {{ 1 + 1 }}") == "hunter2 2"
    assert rendered(file, GREETING) == "hello you"
    assert b"hunter2" not in file.read_bytes()


def test_after_the_block_everything_is_compiled_again(exchanged: Path) -> None:
    rendered(exchanged, GREETING)
    assert get_template(GREETING, {}).render({}) == "hello you"
