"""Pre-imported `linker` and `dbt`: commands of tests are forks of one warm process per session."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent


def keep_warm() -> Callable[[], None]:
    """Let processes that this one starts find the warm one, and how to end that."""
    from tests.warm import sitecustomize

    folder = Path(tempfile.mkdtemp(prefix="linker-warm-"))
    (folder / "owner").write_text(str(os.getpid()), "utf-8")
    found = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(found)
    os.environ[sitecustomize.FOLDER] = str(folder)
    os.environ[sitecustomize.LIKE] = sitecustomize.likeness()
    return lambda: shutil.rmtree(folder, ignore_errors=True)
