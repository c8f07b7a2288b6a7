"""Usage ingestion on the demo, from command to answer, trace and undo."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linker.linking.trace import names

Run = Callable[..., subprocess.CompletedProcess[str]]
QUESTION = "Which carrier broke its promised delivery day most often?"
LOG = """
select c.carrier_name, count(*) from logistics.shipments s
join logistics.carriers c on c.carrier_code = s.carrier_code
where s.delivered_at > s.promised_on and c.mode = 'zanzibar' group by 1;
select mode from logistics.carriers;
select nonsense from (
"""


@pytest.fixture(scope="module")
def log(linker_folder: Path) -> Path:
    file = linker_folder / "queries.sql"
    file.write_text(LOG, "utf-8")
    return file


def learned(linker_command: Run, *words: str) -> dict[str, list[Any]]:
    done = linker_command("learn", "--target", "demo", "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_an_answer_says_what_was_learned_until_it_is_forgotten(
    demo: subprocess.CompletedProcess[str], linker_command: Run, linker_folder: Path, log: Path
) -> None:
    assert demo.returncode == 0
    [told] = learned(linker_command, log.name)["learned"]
    assert (told["source"], told["used"], told["unchanged"]) == ("queries.sql", 2, False)
    assert told["skipped"] == {"broken": 1, "other_tables": 0, "no_table": 0}

    asked = linker_command("ask", "--target", "demo", "--format", "json", "--explain", QUESTION)
    answer = json.loads(asked.stdout)
    [carriers] = [one for one in answer["tables"] if one["name"] == "carriers"]
    assert [one["text"] for one in carriers["evidence"] if one["kind"] == "usage"] == [
        "used in 2 queries"
    ]
    assert any(join["reason"].startswith("used in 1 query; ") for join in answer["joins"])

    trace = max(names(linker_folder / ".linker"))
    replayed = linker_command("trace", "replay", trace, "--format", "json", "--explain")
    assert json.loads(replayed.stdout)["tables"] == answer["tables"]

    [again] = learned(linker_command, str(log))["learned"]
    assert again["unchanged"] is True
    assert learned(linker_command, "--forget", log.name) == {
        "learned": [],
        "forgotten": ["queries.sql"],
    }
    assert learned(linker_command, "--list") == {"kept": []}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "missing source"),
        (("nowhere.sql",), "cannot read nowhere.sql"),
        (("--history",), "duckdb has no query history"),
        (("--forget", "nowhere.sql"), "unknown source nowhere.sql"),
    ],
)
def test_what_goes_wrong_is_said_in_a_line(
    demo: subprocess.CompletedProcess[str], linker_command: Run, words: tuple[str, ...], said: str
) -> None:
    assert demo.returncode == 0
    done = linker_command("learn", "--target", "demo", *words)
    assert done.returncode == 2
    [error, *_] = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert error.startswith(f"error: {said}")
