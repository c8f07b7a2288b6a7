"""Metrics and JSON logs for monitors."""

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from linker.cli.output import UserError, warn
from linker.cli.progress import EVENTS, emit, json_line, log_format_option, run_fields, stage
from linker.cli.refresh import run_with_metrics
from linker.errors import BusyError, ConfigError, WarehouseError
from linker.types import Outcome, Run, Work

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WORK = Work(
    planned=5,
    scanned=2,
    unchanged=1,
    left_out=1,
    failed=1,
    statements=3,
    rows_read=700,
    bytes_read=9_000,
    embedded=4,
    learned=2,
    not_learned=1,
)


def a_run(outcome: Outcome = "partly failed", minutes: int = 0) -> Run:
    started_at = NOON + timedelta(minutes=minutes)
    return Run(3, "refresh", outcome, started_at, started_at + timedelta(seconds=90), WORK)


def samples(path: Path) -> dict[tuple[str, ...], float]:
    """What Prometheus' own parser reads: by name and labels other than the target."""
    families = text_string_to_metric_families(path.read_text("utf-8"))
    found = [(sample, family.type) for family in families for sample in family.samples]
    assert {kind for _, kind in found} == {"gauge"}
    assert {sample.labels["target"] for sample, _ in found} == {"prod"}
    values = {}
    for sample, _ in found:
        labels = [value for name, value in sample.labels.items() if name != "target"]
        values[sample.name.removeprefix("linker_refresh_"), *labels] = sample.value
    return values


def measured(path: Path, *runs: Run | Exception) -> None:
    for one in runs:

        def run(one: Run | Exception = one) -> Run:
            if isinstance(one, Exception):
                raise one
            return one

        try:
            run_with_metrics(run, path, "prod")
        except WarehouseError:
            assert one is DOWN


DOWN = WarehouseError("the warehouse does not answer", hint="start it")


def test_the_metrics_of_a_run_are_read_by_the_parser_of_prometheus(tmp_path: Path) -> None:
    measured(tmp_path / "linker.prom", a_run())
    assert samples(tmp_path / "linker.prom") == {
        ("last_run_outcome", "done"): 0,
        ("last_run_outcome", "unchanged"): 0,
        ("last_run_outcome", "partly failed"): 1,
        ("last_run_outcome", "failed"): 0,
        ("last_run_outcome", "killed"): 0,
        ("last_run_timestamp_seconds",): NOON.timestamp(),
        ("last_run_duration_seconds",): 90,
        ("last_run_tables", "scanned"): 2,
        ("last_run_tables", "unchanged"): 1,
        ("last_run_tables", "left out"): 1,
        ("last_run_tables", "failed"): 1,
        ("last_run_rows_read",): 700,
        ("last_run_bytes_read",): 9_000,
        ("last_run_documents", "embedded"): 4,
        ("last_run_documents", "removed"): 0,
        ("last_run_sources", "learned"): 2,
        ("last_run_sources", "failed"): 1,
        ("last_success_timestamp_seconds",): NOON.timestamp() + 90,
        ("consecutive_failures",): 0,
    }
    assert [path.name for path in tmp_path.iterdir()] == ["linker.prom"]


def test_runs_that_fail_are_counted_from_file_to_file_and_the_last_success_is_kept(
    tmp_path: Path,
) -> None:
    path = tmp_path / "linker.prom"
    measured(path, a_run("done"), DOWN, a_run("failed", minutes=5))
    told = samples(path)
    assert told[("consecutive_failures",)] == 2
    assert told[("last_success_timestamp_seconds",)] == NOON.timestamp() + 90
    assert told[("last_run_outcome", "failed")] == 1
    measured(path, a_run("unchanged", minutes=10))
    told = samples(path)
    assert told[("consecutive_failures",)] == 0
    assert told[("last_success_timestamp_seconds",)] == NOON.timestamp() + 690


@pytest.mark.parametrize(
    "before", ["", "what is this?\n", "linker_refresh_consecutive_failures{target=", "\x00"]
)
def test_a_metrics_file_that_cannot_be_read_is_begun_anew(tmp_path: Path, before: str) -> None:
    path = tmp_path / "linker.prom"
    path.write_text(before, "utf-8")
    measured(path, DOWN)
    assert samples(path)[("consecutive_failures",)] == 1
    assert ("last_success_timestamp_seconds",) not in samples(path)


def test_a_refresh_that_another_one_holds_up_leaves_the_metrics_of_that_one(tmp_path: Path) -> None:
    path = tmp_path / "linker.prom"
    measured(path, a_run("done"))
    before = path.read_text("utf-8")

    def held_up() -> Run:
        raise BusyError("another refresh is at work", hint="wait for it")

    with pytest.raises(BusyError):
        run_with_metrics(held_up, path, "prod")
    assert path.read_text("utf-8") == before


def command(body: Callable[[], None], *words: str) -> Result:
    @click.group()
    def main() -> None: ...

    @main.command()
    @log_format_option
    def work() -> None:
        body()

    return CliRunner().invoke(main, ["work", *words])


def a_body() -> None:
    with stage("index") as running:
        running.summary = "12 columns embedded"
        running.numbers = {"embedded": 12}
    warn("sales.orders\nis a view")
    emit("run_done", "run 3: partly failed", target="prod", **run_fields(a_run()))
    raise UserError("the warehouse does not answer", "start it")


def test_as_json_each_line_of_the_log_is_an_event_of_the_list(tmp_path: Path) -> None:
    done = command(a_body, "--log-format", "json")
    assert (done.exit_code, done.stdout) == (2, "")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(
        set(event) - {"ts", "level", "event", "message"} <= set(EVENTS[event["event"]].fields)
        for event in events
    )
    assert all(datetime.fromisoformat(event.pop("ts")).tzinfo == UTC for event in events)
    assert events[0].pop("seconds") >= 0
    work = {"planned": 5, "scanned": 2, "unchanged": 1, "left_out": 1, "failed": 1, "statements": 3}
    read = {"rows_read": 700, "bytes_read": 9_000, "embedded": 4, "removed": 0}
    sources = {"learned": 2, "not_learned": 1}
    assert events == [
        {
            "level": "info",
            "event": "stage_done",
            "stage": "index",
            "embedded": 12,
            "message": "12 columns embedded",
        },
        {"level": "warning", "event": "warning", "message": "sales.orders is a view"},
        {
            "level": "info",
            "event": "run_done",
            "message": "run 3: partly failed",
            "run": 3,
            "target": "prod",
            "outcome": "partly failed",
            "seconds": 90.0,
            **work,
            **read,
            **sources,
        },
        {
            "level": "error",
            "event": "error",
            "hint": "start it",
            "message": "the warehouse does not answer",
        },
    ]


def test_for_people_the_log_reads_as_before() -> None:
    done = command(a_body)
    lines = done.stderr.splitlines()
    assert lines[0].startswith("✓ index")
    assert lines[0].endswith("12 columns embedded")
    assert lines[1:] == [
        "warning: sales.orders is a view",
        "run 3: partly failed",
        "error: the warehouse does not answer",
        "   →   start it",
    ]


@settings(deadline=None)
@given(st.text(max_size=40))
def test_whatever_a_message_holds_it_stays_one_line_of_json_that_steers_no_terminal(
    text: str,
) -> None:
    line = json_line("warning", text)
    assert [
        character for character in line if unicodedata.category(character) in ("Cc", "Zl", "Zp")
    ] == []
    assert json.loads(line)["event"] == "warning"


def test_a_field_that_the_list_does_not_have_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="warning has no field password"):
        json_line("warning", "what", password="secret")


def test_a_metrics_file_that_cannot_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "file"
    with pytest.raises(ConfigError, match=re.escape(f"cannot write --metrics-file {path}")):
        run_with_metrics(a_run, path, "prod")
