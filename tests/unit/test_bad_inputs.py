"""Invalid inputs to every command: one line and exit code 2, no traceback, no secret."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.bad_input_cases import CONTENTS, STARTS_DBT, Case, cases, make_world
from benchmarks.bad_inputs import held_store, run_case
from linker.cli import main
from tests.messages import messages


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, profiled_file: Path) -> Iterator[Path]:
    """The folder of a user, with a warehouse that was profiled and indexed."""
    folder = tmp_path_factory.mktemp("world")
    shutil.copy(profiled_file, folder / "wh.duckdb")
    make_world(folder)
    with chdir(folder):
        assert CliRunner().invoke(main, ["index"]).exit_code == 0
    with held_store(folder):
        yield folder


def sample() -> list[Case]:
    """Of each parameter, file and setting one case, each with another kind of input."""
    groups = [
        list(of)
        for _, of in groupby(cases(), lambda case: (case.command, case.what.partition(":")[0]))
    ]
    chosen = [group[number % len(group)] for number, group in enumerate(groups)]
    # Valid inputs start dbt, and link: `make bench-inputs` covers them.
    return [
        case
        for case in chosen
        if case.command not in (*STARTS_DBT, ("ask",), ("sql",), ("doctor",))
    ]


def test_every_command_answers_or_refuses_in_one_line(world: Path) -> None:
    outcomes = [run_case(case, world) for case in sample()]
    assert len(outcomes) > 100
    assert {outcome.case.command[0] for outcome in outcomes} >= {
        "show",
        "learn",
        "eval",
        "tune",
        "trace",
        "demo",
        "runs",
    }
    assert [outcome for outcome in outcomes if outcome.problem] == []


@pytest.mark.parametrize("file", ["linker.yml", "profiles.yml", "questions.yml", "queries.jsonl"])
def test_a_file_may_hold_anything(world: Path, file: str) -> None:
    words = {
        "questions.yml": ("eval", "golden", "--root", file),
        "queries.jsonl": ("learn", file),
    }.get(file, ("status",))
    outcomes = [
        run_case(Case(words[:1], words[1:], what, {file: held}), world)
        for what, held in CONTENTS.items()
    ]
    assert [outcome for outcome in outcomes if outcome.problem] == []


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((b"ask", b"\xed\xa0\x80"), "`\\udced\\udca0\\udc80` is not text in UTF-8"),
        ((b"status", b"--config", b"odd.yml"), "odd.yml is not text in UTF-8"),
        ((b"eval", b"golden", b"--root", b"odd.yml"), "odd.yml"),
        ((b"show", b"plain", b"--config", b"x" * 5000), f"`{'x' * 60}…` is too long for a file"),
        (
            (b"eval", b"golden", b"--root", b"wide.csv"),
            "wide.csv is not valid CSV: field larger than field limit (131072)",
        ),
        (
            (b"learn", b"words.txt"),
            "no query in words.txt reads a table; 1 of 1 statements cannot be parsed",
        ),
    ],
)
def test_bytes_that_are_no_text_end_a_real_command_in_one_line(
    world: Path, words: tuple[bytes, ...], what: str
) -> None:
    (world / "odd.yml").write_bytes(b"\xff\xfe\x00")
    (world / "wide.csv").write_text(f"question,gold_sql\n{'x' * 200_000},select 1\n")
    (world / "words.txt").write_text("root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/bin/sh\n")
    command = [os.fsencode(Path(sys.executable).with_name("linker")), *words]
    done = subprocess.run(command, cwd=world, capture_output=True, check=False)
    lines = messages(done.stderr.decode())
    assert (done.returncode, done.stdout, len(lines)) == (2, b"", 2), done.stderr
    assert lines[0].startswith("error: ")
    assert what in lines[0]
    assert lines[1].startswith("   →   ")


@pytest.mark.parametrize("words", [("demo", "--scale"), ("diff", "--rows")])
def test_an_amount_that_is_no_number_is_refused(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, [*words, "nan"])
    assert done.exit_code == 2
    assert (
        done.output.splitlines()[-1]
        == f"Error: Invalid value for '{words[-1]}': 'nan' is not a number."
    )


def test_warnings_of_libraries_stand_in_a_file_and_not_on_the_terminal(world: Path) -> None:
    code = """
import logging, warnings
import click
from linker.cli import main
import linker.cli.status as module

@click.command()
def status():
    from linker.cli.output import read_settings
    logging.getLogger("sqlglot").warning("before the settings")
    read_settings({})
    logging.getLogger("sqlglot").warning("contains unsupported syntax")
    warnings.warn("soon to be removed", DeprecationWarning, stacklevel=1)

module.status = status
main(["status"])
"""
    command = [sys.executable, "-W", "always", "-c", code]
    done = subprocess.run(command, cwd=world, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, messages(done.stderr)) == (0, "", [])
    log = (world / ".linker" / "linker.log").read_text("utf-8")
    assert "sqlglot: contains unsupported syntax" in log
    assert "DeprecationWarning: soon to be removed" in log
