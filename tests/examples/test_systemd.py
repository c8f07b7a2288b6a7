"""The examples for systemd, checked by systemd."""

import re
import subprocess
from pathlib import Path

import pytest


def verified(units: list[Path]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def units(checkout: Path, tmp_path: Path) -> list[Path]:
    """
    The units, with a program that is on this machine in the place of linker: systemd looks for it.
    """
    for example in sorted((checkout / "examples" / "systemd").glob("*.*")):
        text = example.read_text("utf-8")
        (tmp_path / example.name).write_text(
            text.replace("/opt/linker/bin/linker", "/bin/true"), "utf-8"
        )
    return sorted(tmp_path.iterdir())


def test_systemd_takes_the_units_without_a_word(units: list[Path]) -> None:
    assert [unit.name for unit in units] == ["linker-refresh.service", "linker-refresh.timer"]
    done = verified(units)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_systemd_would_say_what_is_wrong(units: list[Path]) -> None:
    units[1].write_text(units[1].read_text("utf-8").replace("00/6:17:00", "whenever"), "utf-8")
    assert verified(units).returncode != 0


def test_the_commands_of_the_units_have_flags_that_linker_has(checkout: Path) -> None:
    told = "".join(
        unit.read_text("utf-8") for unit in (checkout / "examples" / "systemd").glob("*.service")
    )
    help_page = (checkout / "docs" / "cli.md").read_text("utf-8")
    [refresh] = re.findall(r"\$ linker refresh --help\n(.*?)```", help_page, flags=re.DOTALL)
    assert (
        set(re.findall(r"(?<= )--[a-z-]+", told)) - set(re.findall(r"--[a-z-]+", refresh)) == set()
    )
