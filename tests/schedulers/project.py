"""A dbt project that lists linker, and programs run in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The environments that `make test-schedulers` makes, and the one of these tests, which has dbt and
# linker.
AIRFLOW = ROOT / ".venv-airflow" / "bin"
DAGSTER = ROOT / ".venv-dagster" / "bin"
OWN = Path(sys.executable).parent
SECONDS_TO_RUN = 900


def run(
    words: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> str:
    """Run a program to its end, which must be a good one; what it printed."""
    environment = {**os.environ, **(variables or {})}
    command = [str(word) for word in words]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_TO_RUN,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Project:
    """The folder of the dbt project, with linker.yml in it."""

    folder: Path

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of the examples."""
        return {
            "SHOP_PROJECT": str(self.folder),
            "SHOP_BIN": str(OWN),
            "SHOP_LINKER": str(OWN / "linker"),
        }

    def forget_the_index(self) -> None:
        """Begin with an empty store."""
        state = self.folder / ".linker"
        if state.exists():
            state.rename(self.folder / f".linker-{len(list(self.folder.glob('.linker*')))}")

    def indexed(self) -> int:
        """How many documents the index holds."""
        told = json.loads(run([OWN / "linker", "status", "--format", "json"], self.folder))
        return int(told["indexed"])
