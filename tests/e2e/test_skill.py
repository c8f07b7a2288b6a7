"""The skill page: each command runs, and the bundle starts with it."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.e2e.agents import called, text
from tests.e2e.conftest import Run


def test_each_command_of_the_skill_runs_on_the_demo(
    demo: "subprocess.CompletedProcess[str]", linker_command: Run, checkout: Path
) -> None:
    assert demo.returncode == 0, demo.stderr
    page = (checkout / "skills" / "linker" / "SKILL.md").read_text("utf-8")
    commands = [
        shlex.split(line)[1:] for line in re.findall(r"^\s*\$ (linker .+)$", page, re.MULTILINE)
    ]
    assert [words[0] for words in commands] == [
        "ask",
        "show",
        "show",
        "ask",
        "doctor",
        "refresh",
        "diff",
    ]
    # A second run that reads something, which the last of them compares with the first.
    again = ("refresh", "--target", "demo", "--full", "--select", "logistics.carriers")
    assert linker_command(*again).returncode == 0
    for words in commands:
        done = linker_command(words[0], "--target", "demo", *words[1:])
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout


def test_the_skill_is_one_page_with_a_name_and_a_description(checkout: Path) -> None:
    page = (checkout / "skills" / "linker" / "SKILL.md").read_text("utf-8")
    _, head, body = page.split("---\n", 2)
    assert re.findall(r"^name: (.+)$", head, re.MULTILINE) == ["linker"]
    [description] = re.findall(r"^description: (.+)$", head, re.MULTILINE)
    assert len(description) <= 1024
    assert body.count("\n") <= 60


def test_the_server_of_the_bundle_serves_the_folder_that_it_is_given(
    demo: "subprocess.CompletedProcess[str]", linker_folder: Path, checkout: Path, tmp_path: Path
) -> None:
    assert demo.returncode == 0, demo.stderr
    (tmp_path / "linker.yml").write_text(
        f"target: demo\nstate_dir: {linker_folder / '.linker'}\n", "utf-8"
    )
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[str(checkout / "bundle" / "server.py"), str(tmp_path)],
        cwd=checkout,
        env={**os.environ, "HOME": str(linker_folder)},
    )
    [health] = called(lambda: Client(stdio_client(parameters)), ("status", {}))
    assert "target linker.demo: " in text(health)
