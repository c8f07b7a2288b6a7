"""Terminal width, colours and completion shell."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from linker.cli import main
from linker.cli.output import terminal_width

COMMAND = str(Path(sys.executable).with_name("linker"))
Linker = Callable[..., str]


@pytest.fixture
def flags(profiled_file: Path, tmp_path: Path) -> tuple[str, ...]:
    """The flags that select a separate profile."""
    output = {"type": "duckdb", "path": str(profiled_file), "schema": "shop"}
    profiles = {"shop": {"target": "dev", "outputs": {"dev": output}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    return (
        "--profiles-dir",
        str(tmp_path),
        "--profile",
        "shop",
        "--state-dir",
        str(tmp_path / "state"),
    )


def in_a_terminal(*words: str, **variables: str) -> str:
    """Run the command in a terminal of 100 columns; what it shows."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", **variables}
    with subprocess.Popen(
        [COMMAND, *words], stdout=theirs, stderr=theirs, stdin=theirs, env=environment
    ) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(ours)
    assert running.returncode is not None
    return shown.decode()


def commands(of: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """The commands below one, by their names."""
    if not isinstance(of, click.Group):
        yield name, of
        return
    for word in of.list_commands(click.Context(of)):
        below = of.get_command(click.Context(of), word)
        assert below
        yield from commands(below, f"{name} {word}".strip())


def test_every_command_that_prints_a_result_prints_json() -> None:
    lacking = []
    for name, command in commands(main):
        if not any("--format" in option.opts for option in command.params):
            lacking.append(name)
    # Two serve until they are ended; the script of a shell is for that shell.
    assert lacking == ["completion", "mcp", "serve"]
    formats = [
        option
        for _, command in commands(main)
        for option in command.params
        if "--format" in option.opts
    ]
    assert all(
        isinstance(option.type, click.Choice) and "json" in option.type.choices
        for option in formats
    )


@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_report_is_as_wide_as_columns_says(
    width: int, flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    done = CliRunner().invoke(main, ["show", *flags, "sales.orders"])
    widest = max(cell_len(line) for line in done.stdout.splitlines())
    assert width - 10 <= widest <= width


@pytest.mark.parametrize(
    ("said", "width"), [("", 100), ("wide", 100), ("0", 100), ("7", 40), ("300", 300)]
)
def test_what_is_no_width_is_not_followed(
    said: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", said)
    assert terminal_width() == width


def test_a_terminal_has_colours_unless_they_are_not_wanted(flags: tuple[str, ...]) -> None:
    assert "\x1b[" in in_a_terminal("show", *flags, "sales.orders")
    assert "\x1b[" not in in_a_terminal("show", *flags, "sales.orders", NO_COLOR="1")
    assert "\x1b[" in in_a_terminal("show", *flags, "no.such")
    assert "\x1b[" not in in_a_terminal("show", *flags, "no.such", NO_COLOR="1")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_asks_linker(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert f"_LINKER_COMPLETE={shell}_complete" in done.stdout


def test_the_script_of_bash_completes_commands_and_options() -> None:
    script = CliRunner().invoke(main, ["completion", "bash"]).stdout
    words = "COMP_WORDS=(linker exp); COMP_CWORD=1; _linker_completion linker exp linker"
    told = f"{script}\n{words}; echo ${{COMPREPLY[@]}}"
    path = f"{Path(COMMAND).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", told],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["export"]


def test_the_json_of_a_table_is_short_unless_all_is_explained(flags: tuple[str, ...]) -> None:
    short, whole = (
        CliRunner().invoke(main, ["show", *flags, "sales.orders", "--format", "json", *more]).stdout
        for more in ((), ("--explain",))
    )
    assert short.count("\n") == 1
    assert len(short) < 0.4 * len(whole)
    told, all_told = json.loads(short), json.loads(whole)
    assert [column["path"] for column in told["columns"]] == [
        column["path"] for column in all_told["columns"]
    ]
    assert all(
        "l3" not in column and len(column["l2"]["representative_values"] or []) <= 5
        for column in told["columns"]
    )
    assert any(column["l3"] and column["l3"]["histogram"] for column in all_told["columns"])
