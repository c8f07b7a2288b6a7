"""`linker ask --strategy` with unavailable strategies."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from linker.cli import main
from tests.messages import messages


@pytest.mark.parametrize(
    ("strategy", "said", "hint"),
    [
        (
            "mcs",
            "the strategy `mcs` needs a language model, and none is configured",
            "set `model` to provider:name",
        ),
        (
            "autolink",
            "the strategy `autolink` needs a language model, and none is configured",
            "or use the strategy `shortlist`",
        ),
        (
            "cross_encoder",
            "the strategy `cross_encoder` needs a cross-encoder, and none is configured",
            "set `reranker`",
        ),
        ("best", "there is no strategy `best`", " auto, autolink, "),
    ],
)
def test_one_line_says_what_is_missing_and_the_exit_code_is_two(
    tmp_path: Path, strategy: str, said: str, hint: str
) -> None:
    done = CliRunner().invoke(
        main, ["ask", "--strategy", strategy, "--state-dir", str(tmp_path), "a question"]
    )
    assert done.exit_code == 2
    assert done.stdout == ""
    error, todo = messages(done.stderr)
    assert error == f"error: {said}"
    assert hint in todo
