"""The cron example: crontab syntax, and the script with every exit code."""

import subprocess
from pathlib import Path

import pytest

from tests.examples.stand_in import stand_in


def test_cron_takes_the_table(checkout: Path) -> None:
    checked = subprocess.run(
        ["crontab", "-n", checkout / "examples" / "cron" / "crontab"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("code", "ends_with", "mailed"),
    [
        (0, 0, ""),
        (1, 1, "linker: some tables could not be read; the rest is current\nthe log\n"),
        (2, 2, "linker: refresh ended with exit code 2; the index is as it was\nthe log\n"),
        (4, 0, ""),
        (137, 137, "linker: refresh ended with exit code 137; the index is as it was\nthe log\n"),
    ],
)
def test_the_script_is_silent_unless_somebody_should_look(
    checkout: Path, tmp_path: Path, code: int, ends_with: int, mailed: str
) -> None:
    variables = {
        "PATH": "/usr/bin:/bin",
        "SHOP_PROJECT": str(tmp_path),
        "SHOP_LINKER": str(stand_in(tmp_path, code)),
        "SHOP_LOG": str(tmp_path / "refresh.log"),
    }
    script = checkout / "examples" / "cron" / "linker-refresh"
    done = subprocess.run(
        [script, "--metrics-file", "a b.prom"],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (ends_with, mailed, "")
    assert (tmp_path / "refresh.log").read_text("utf-8") == "the run\nthe log\n"
    assert (tmp_path / "called").read_text(
        "utf-8"
    ) == "refresh --log-format json --metrics-file a b.prom\n"
