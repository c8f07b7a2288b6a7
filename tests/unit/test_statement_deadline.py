"""A statement without end: its dbt run is stopped, recorded, and the next run continues."""

import json
import sys
import time
from pathlib import Path

import duckdb
import pytest

from linker.dbt.profiling import DbtTarget, profile_warehouse
from linker.dbt.runner import Deadline
from linker.errors import WarehouseError

# A dbt whose first run waits for a statement, as over a DuckDB before 2.0; it notes each command.
DBT = """#!{python}
import json, sys, time
from pathlib import Path

here = Path(__file__).parent
words = sys.argv[1:]
with (here / "commands").open("a") as commands:
    commands.write(json.dumps(words) + "\\n")
count = (here / "commands").read_text().count('["run",')

def tell(name, **data):
    print(json.dumps({{"info": {{"name": name, "invocation_id": f"run {{count}}"}}, "data": data}}), flush=True)

if words[0] == "run":
    node = {{"node_name": "linker_runs"}}
    tell("SQLQuery", node_info=node)
    if count == 1:
        time.sleep(600)
    tell("SQLQueryStatus", node_info=node)
    target = Path(words[words.index("--target-path") + 1])
    target.mkdir(exist_ok=True)
    (target / "run_results.json").write_text(json.dumps({{"results": []}}))
elif words[1] == "linker.report_views":
    views = {{"dialect": "duckdb", "views": [], "columns": [], "has_schema": True, "scan_seconds": 0.1}}
    tell("JinjaLogDebug", msg="linker: views " + json.dumps(views))
elif words[1] == "linker.record_overtime" and {is_recorded}:
    tell("JinjaLogDebug", msg="linker: repeatable main.slow")
elif words[1] == "linker.report_plan":
    report = {{"tables": [], "failures": [], "due_again": [], "read": {{}}}}
    report["dbt_runs"] = json.loads(words[words.index("--args") + 1])["run_ids"]
    tell("JinjaLogInfo", msg="linker: report " + json.dumps(report))
"""


def target_in(folder: Path, *, is_recorded: bool, is_full: bool = False) -> DbtTarget:
    """An empty file of DuckDB, and that dbt."""
    executable = folder / "dbt"
    executable.write_text(DBT.format(python=sys.executable, is_recorded=is_recorded), "utf-8")
    executable.chmod(0o755)
    path = folder / "w.duckdb"
    duckdb.connect(str(path)).close()
    output = {"type": "duckdb", "path": str(path)}
    profiles = {"p": {"target": "t", "outputs": {"t": output}}}
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    state = folder / "state"
    return DbtTarget(folder, "p", "t", state, full_refresh=is_full, dbt=str(executable))


def test_what_could_not_be_recorded_ends_the_profile_and_not_run_after_run(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="linker_runs took longer than scan_seconds"):
        profile_warehouse(target_in(tmp_path, is_recorded=False))
    assert (tmp_path / "commands").read_text("utf-8").count('["run",') == 1


@pytest.mark.parametrize("is_full", [False, True])
def test_the_run_is_ended_and_another_one_goes_on_behind_what_is_recorded(
    tmp_path: Path, is_full: bool
) -> None:
    report = profile_warehouse(target_in(tmp_path, is_recorded=True, is_full=is_full))
    assert report.dbt_runs == ("run 1", "run 2")
    commands = [
        json.loads(line) for line in (tmp_path / "commands").read_text("utf-8").splitlines()
    ]
    done = [words[1].removeprefix("linker.") if "--args" in words else "run" for words in commands]
    done = [name for name, words in zip(done, commands, strict=True) if words[0] != "deps"]
    assert done == ["report_views", "run", "report_views", "record_overtime", "run", "report_plan"]
    [recorded] = [words for words in commands if "linker.record_overtime" in words]
    named = json.loads(recorded[recorded.index("--args") + 1])
    assert named == {"model_name": "linker_runs", "run_id": "run 1"}
    # What was finished before is not begun again.
    runs = ["--full-refresh" in words for words in commands if words[0] == "run"]
    assert runs == [is_full, False]


def test_only_a_statement_that_runs_and_reads_tables_counts() -> None:
    late: list[str] = []
    deadline = Deadline(("linker_runs",), lambda model, _run: late.append(model))
    deadline.limit(-4.5)  # five seconds are added to what the warehouse has
    deadline.begin("linker_runs", "1")
    deadline.end("linker_runs")
    deadline.begin("linker_plan", "1")
    time.sleep(0.2)
    assert late == []
    deadline.begin("linker_runs", "1")
    deadline.begin("linker_runs", "1")
    time.sleep(0.2)
    assert late == ["linker_runs"]
