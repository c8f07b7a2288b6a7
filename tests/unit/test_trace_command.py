"""`linker trace`: list, show, replay, errors."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linker.cli import main
from linker.linking.trace import read_events, write_lines
from tests import traces
from tests.messages import messages

OLDER = "20251121-101400-77ab01"


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    """A state folder with two traces: the older found that the warehouse cannot answer."""
    traces.write(tmp_path)
    traces.write(tmp_path, OLDER, missing="no table holds orders of 2025")
    return tmp_path


def trace(state_dir: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["trace", *words, "--state-dir", str(state_dir)])


def test_the_list_is_newest_first_with_columns_seconds_and_cost(state_dir: Path) -> None:
    first, second = json.loads(trace(state_dir, "list", "--format", "json").stdout)
    assert (first["id"], second["id"]) == (traces.ID, OLDER)
    # customer_id, total and state of the orders, id and city of the customers; the refund went with
    # its table.
    assert first["columns"] == 5
    assert (first["is_answered"], second["is_answered"]) == (True, False)
    assert first["cost"] == {
        "calls": 1,
        "prompt_tokens": 3210,
        "cached_tokens": 1024,
        "completion_tokens": 210,
        "probes": 1,
        "bytes": 0,
        "seconds": 1.125,
    }
    shown = trace(state_dir, "list").stdout
    assert shown.index(traces.ID) < shown.index(OLDER)
    assert "no answer" in shown


def test_what_the_list_leaves_out_is_said(state_dir: Path) -> None:
    done = trace(state_dir, "list", "--limit", "1")
    assert OLDER not in done.stdout
    assert "1 older" in done.stderr


def test_a_trace_that_cannot_be_read_is_named_and_the_others_are_listed(state_dir: Path) -> None:
    (state_dir / "traces" / "20251121-101600-bad000.jsonl.gz").write_text(
        '{"event": "begin"', "utf-8"
    )
    other = [
        json.dumps(event).replace("groundings", "of another version")
        for event in read_events(state_dir, OLDER)
    ]
    write_lines(state_dir / "traces", "20251121-101601-bad001", other)
    # As the first version wrote them.
    (state_dir / "traces" / "20251121-101602-bad002.jsonl").write_text(
        '{"event": "begin", "format": 1}', "utf-8"
    )
    done = trace(state_dir, "list")
    assert done.exit_code == 0
    assert "20251121-101600-bad000, 20251121-101601-bad001, 20251121-101602-bad002" in done.stderr
    assert traces.ID in done.stdout


def test_a_run_that_was_killed_is_listed_and_shown_and_has_no_answer(state_dir: Path) -> None:
    traces.write(state_dir, "20251121-101700-dead00", is_whole=False)
    assert "did not finish" in trace(state_dir, "list").stdout
    assert "did not finish" in trace(state_dir, "show").stdout
    done = trace(state_dir, "replay")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "did not finish" in done.stderr


def test_without_an_id_the_newest_is_meant_and_the_beginning_of_an_id_is_enough(
    state_dir: Path,
) -> None:
    assert traces.ID in trace(state_dir, "show").stdout
    assert OLDER in trace(state_dir, "show", "20251121-1014").stdout


@pytest.mark.parametrize("name", ["2025", "nowhere"])
def test_an_id_that_means_several_or_none_gets_one_line_and_exit_code_two(
    name: str, state_dir: Path
) -> None:
    done = trace(state_dir, "show", name)
    assert done.exit_code == 2
    assert len(messages(done.stderr)) == 2
    assert "linker trace list" in done.stderr


def test_before_the_first_run_a_line_says_what_to_do(tmp_path: Path) -> None:
    for command in ("list", "show", "replay"):
        done = trace(tmp_path / "new", command)
        assert done.exit_code == 2
        assert "linker ask" in done.stderr


def test_prompts_are_shown_only_where_they_are_asked_for(state_dir: Path) -> None:
    assert "You find tables." not in trace(state_dir, "show").stdout
    shown = trace(state_dir, "show", "--prompts").stdout
    assert "You find tables.\n" in shown
    assert "Totals of orders" in shown


def test_replayed_the_answer_has_the_votes_and_decisions_of_the_run(state_dir: Path) -> None:
    done = trace(state_dir, "replay", "--format", "json", "--explain")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    standing = {
        f"{table['name']}.{column['path']}": (column["status"], column["credibility"])
        for table in answer["tables"]
        for column in table["columns"]
    }
    # Two of two ways: P(p > 1/2) of Beta(3, 1) is 1 - 1/8. The state was brought in; no way had
    # asked for it.
    assert standing == {
        "orders.customer_id": ("required", 0.875),
        "orders.total": ("required", 0.875),
        "orders.state": ("kept", None),
        "customers.id": ("required", 0.875),
        "customers.city": ("required", 0.875),
    }
    [orders, customers] = answer["tables"]
    assert {one["path"]: one["points_to"] for one in orders["columns"]}["customer_id"] == [
        "shop.customers.id"
    ]
    assert {one["path"]: one["examples"] for one in customers["columns"]} == {
        "id": ["1"],
        "city": ["Ulm", "Bonn"],
    }
    assert [one["name"] for one in answer["discarded"]] == ["shop.returns", "shop.returns.refund"]
    assert answer["trace"] == traces.ID
    assert "named unknown tables" in done.stderr


def test_replayed_a_question_without_an_answer_ends_with_exit_code_three(state_dir: Path) -> None:
    done = trace(state_dir, "replay", OLDER)
    assert done.exit_code == 3
    assert "the warehouse cannot answer this question" in done.stdout
    assert "no table holds orders of 2025" in done.stdout
    for form, mark in (
        ("json", '"missing"'),
        ("mschema", "【Unanswerable】"),
        ("ddl", "-- the warehouse cannot answer this question"),
    ):
        again = trace(state_dir, "replay", OLDER, "--format", form)
        assert again.exit_code == 3
        assert mark in again.stdout
