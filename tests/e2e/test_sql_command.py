"""`linker sql` without a language model on the demo: what it prints, its exit codes, and nothing run in a dry run."""

import json
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner, Result

from linker.cli import main

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "sql-answer.schema.json"
BY_MONTH = "How many tickets were opened in 2025 by month?"


@pytest.fixture
def sql(demo: subprocess.CompletedProcess[str], linker_folder: Path, monkeypatch: pytest.MonkeyPatch) -> "Asked":
    assert demo.returncode == 0
    monkeypatch.chdir(linker_folder)
    return Asked()


class Asked:
    """Asks in the folder of the demo, as a user does, and without a language model."""

    def __call__(self, *words: str) -> Result:
        return CliRunner().invoke(main, ["sql", "--target", "demo", *words])

    def in_json(self, *words: str) -> tuple[int, dict[str, Any]]:
        done = self("--format", "json", *words)
        answer = json.loads(done.stdout)
        jsonschema.validate(answer, json.loads(SCHEMA.read_text("utf-8")))
        return done.exit_code, answer


def test_what_is_accounted_for_is_answered_with_its_rows(sql: Asked, linker_folder: Path) -> None:
    code, answer = sql.in_json(BY_MONTH)
    assert (code, answer["outcome"], answer["writer"], answer["doubts"]) == (0, "answered", "rules", [])
    with duckdb.connect(str(linker_folder / ".linker" / "demo" / "warehouse.duckdb"), read_only=True) as warehouse:
        counted = warehouse.execute(
            "select strftime(created_at, '%Y-%m-01'), count(*) from support.tickets"
            " where year(created_at) = 2025 group by 1 order by 1"
        ).fetchall()
    assert [tuple(row) for row in answer["result"]["rows"]] == counted


def test_what_is_not_certain_is_a_draft_that_says_why(sql: Asked) -> None:
    done = sql("--format", "sql", "How many parcels left each warehouse in 2025, and how many of them were late?")
    assert done.exit_code == 0
    assert done.stdout.lower().startswith("select")
    assert "no meaning was found for “left”" in done.stderr
    assert "late_parcels is summed" in done.stderr


def test_what_no_rule_covers_needs_a_model(sql: Asked) -> None:
    code, answer = sql.in_json("What percentage of the tickets of 2025 came in by chat?")
    assert (code, answer["outcome"], answer["sql"], answer["result"]) == (3, "needs_model", None, None)
    assert "a language model is needed" in answer["missing"]


def test_a_dry_run_writes_the_statement_and_executes_nothing(sql: Asked) -> None:
    code, answer = sql.in_json("--dry-run", BY_MONTH)
    assert (code, answer["outcome"], answer["result"]) == (0, "written", None)
    assert "support.tickets" in answer["sql"]
    assert answer["runs"]
    assert answer["cost"]["total"]["probes"] == 0
