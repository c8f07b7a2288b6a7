"""`linker learn`: conflicting options."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from tests.messages import messages


@pytest.mark.parametrize("besides", [["queries.sql"], ["--history"], ["--forget", "queries.sql"]])
def test_a_list_of_what_was_learned_learns_and_forgets_nothing(
    tmp_path: Path, besides: list[str]
) -> None:
    done = CliRunner().invoke(main, ["learn", "--list", *besides, "--state-dir", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert messages(done.stderr)[0] == "error: --list takes no sources"
    assert list(tmp_path.iterdir()) == []
