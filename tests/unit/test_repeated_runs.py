"""dbt runs repeat only after failures that the macros recorded."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from linker.dbt.worker import DbtError, PackageRun

# Writes what dbt writes: events as lines of JSON, and run_results.json. It counts its runs, and
# fails the first ones.
DBT = """#!{python}
import json, sys
from pathlib import Path

here = Path(__file__).parent
words = sys.argv[1:]
if words[0] == "run":
    count = len((here / "runs").read_text()) + 1 if (here / "runs").exists() else 1
    (here / "runs").write_text("." * count)
    failed = count <= {failures}
    status = "error" if failed else "success"
    results = [{{"unique_id": "model.linker.{model}", "status": status, "message": "cast failed"}}]
    target = Path(words[words.index("--target-path") + 1])
    target.mkdir(exist_ok=True)
    (target / "run_results.json").write_text(json.dumps({{"results": results}}))
    for message in {messages} if failed else []:
        info = {{"name": "JinjaLogDebug", "invocation_id": str(count), "level": "debug", "msg": message}}
        print(json.dumps({{"info": info, "data": {{"msg": message}}}}))
    sys.exit(1 if failed else 0)
"""


def profile(folder: Path, model: str, messages: list[str], failures: int = 3) -> int:
    """Profile with a dbt in which a model fails some times; how often the package was run."""
    executable = folder / "dbt"
    executable.write_text(
        DBT.format(python=sys.executable, model=model, messages=messages, failures=failures),
        "utf-8",
    )
    executable.chmod(0o755)
    connection = {
        name: str(folder / name)
        for name in ("project_dir", "profiles_dir", "target_path", "log_path")
    }
    invocation: dict[str, Any] = {
        "variables": {},
        "is_full": False,
        "may_wait_forever": False,
        "overtime": None,
        "placement": {},
        "executable": str(executable),
        "connection": {**connection, "profile": "shop", "target": "dev"},
    }
    PackageRun(json.loads(json.dumps(invocation)), lambda _event: None).profile()
    return len((folder / "runs").read_text("utf-8"))


@pytest.mark.parametrize("model", ["linker_runs", "linker_joins"])
def test_a_failure_that_the_macros_recorded_is_left_behind(tmp_path: Path, model: str) -> None:
    # Three scans in a row that fail with the same words are a failure of the whole run.
    assert profile(tmp_path, model, ["linker: repeatable"], failures=2) == 3


@pytest.mark.parametrize("model", ["linker_runs", "linker_joins", "linker_profile_l1"])
def test_any_other_failure_ends_the_run_at_once(tmp_path: Path, model: str) -> None:
    with pytest.raises(DbtError, match="cast failed"):
        profile(tmp_path, model, [])
    assert (tmp_path / "runs").read_text("utf-8") == "."
