"""The error message of Python below 3.11."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("module", ["linker", "linker.cli"])
def test_an_older_python_gets_one_sentence(module: str) -> None:
    code = f"import sys; sys.version_info = (3, 10, 13, 'final', 0); import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == "linker needs Python 3.11 or later, and this is 3.10: https://www.python.org/downloads/\n"
    )


def test_an_older_python_can_read_the_file_that_says_so(checkout: Path) -> None:
    ast.parse((checkout / "linker" / "__init__.py").read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("python", ["", "false"], ids=["none", "too old"])
def test_make_says_which_python_it_needs(checkout: Path, tmp_path: Path, python: str) -> None:
    make = [
        "make",
        "--silent",
        f"PYTHON={python}",
        f"VENV={tmp_path / 'venv'}",
        str(tmp_path / "venv/bin/python"),
    ]
    # The tests themselves may have been started by make, whose options are not for this one.
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    done = subprocess.run(make, cwd=checkout, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[0]
        == "Python 3.11 or later is needed: https://www.python.org/downloads/"
    )
