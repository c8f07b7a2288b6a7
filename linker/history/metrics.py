"""
Writes the last run's metrics to a file for node_exporter's textfile collector.

Last success and failure count are carried over from the file that it replaces, so they are right
across processes and without the store.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from linker.files import write_atomically
from linker.types import Outcome, Record, Run

_OUTCOMES = tuple(outcome for outcome in get_args(Outcome) if outcome != "running")
_SUCCESS = "last_success_timestamp_seconds"
_FAILURES = "consecutive_failures"
PREFIX = "linker_refresh_"


class Metric(Record, frozen=True):
    """A gauge, its label besides `target`, and its values in a run by that label."""

    name: str
    what: str
    label: str | None
    read: Callable[[Run], dict[str, float]]


def _plain(read: Callable[[Run], float]) -> Callable[[Run], dict[str, float]]:
    return lambda run: {"": read(run)}


def _seconds(run: Run) -> float:
    return ((run.ended_at or datetime.now(UTC)) - run.started_at).total_seconds()


METRICS = (
    Metric(
        "last_run_outcome",
        "1 for the outcome of the last run, 0 for the others",
        "outcome",
        lambda run: {outcome: float(outcome == run.outcome) for outcome in _OUTCOMES},
    ),
    Metric(
        "last_run_timestamp_seconds",
        "Start of the last run",
        None,
        _plain(lambda run: run.started_at.timestamp()),
    ),
    Metric("last_run_duration_seconds", "Duration of the last run", None, _plain(_seconds)),
    Metric(
        "last_run_tables",
        "Tables by outcome in the last run",
        "state",
        lambda run: {
            state: getattr(run.work, state.replace(" ", "_"))
            for state in ("scanned", "unchanged", "left out", "failed")
        },
    ),
    Metric(
        "last_run_rows_read",
        "Rows read by the last run",
        None,
        _plain(lambda run: run.work.rows_read),
    ),
    Metric(
        "last_run_bytes_read",
        "Bytes read by the last run",
        None,
        _plain(lambda run: run.work.bytes_read),
    ),
    Metric(
        "last_run_documents",
        "Index documents embedded or removed by the last run",
        "change",
        lambda run: {"embedded": run.work.embedded, "removed": run.work.removed},
    ),
    Metric(
        "last_run_sources",
        "Sources of `usage_sources` with new statistics in the last run, or unreadable",
        "state",
        lambda run: {"learned": run.work.learned, "failed": run.work.not_learned},
    ),
)
# Metrics carried over between files.
REMEMBERED = (
    (_SUCCESS, "End of the last run that succeeded at least partly"),
    (_FAILURES, "Runs that failed as a whole since then"),
)


def write_metrics(path: Path, target: str, run: Run) -> None:
    """Write the metrics of a finished run; disk errors are raised."""
    from prometheus_client import CollectorRegistry, Gauge, generate_latest

    registry = CollectorRegistry()
    for metric in METRICS:
        labels = ("target", metric.label) if metric.label else ("target",)
        gauge = Gauge(PREFIX + metric.name, metric.what, labels, registry=registry)
        for value, count in metric.read(run).items():
            values = (target, value) if metric.label else (target,)
            gauge.labels(*values).set(count)
    before = dict(_remembered(path, target))
    if run.outcome in ("failed", "killed"):
        now = {**before, _FAILURES: before.get(_FAILURES, 0) + 1}
    else:
        now = {_SUCCESS: (run.ended_at or datetime.now(UTC)).timestamp(), _FAILURES: 0}
    for name, what in REMEMBERED:
        if name in now:
            Gauge(PREFIX + name, what, ["target"], registry=registry).labels(target).set(now[name])
    write_atomically(path, generate_latest(registry).decode("utf-8"))


def _remembered(path: Path, target: str) -> Iterator[tuple[str, float]]:
    """Metrics of earlier runs; nothing if the file is missing or foreign."""
    from prometheus_client.parser import text_string_to_metric_families

    names = {PREFIX + name: name for name, _ in REMEMBERED}
    try:
        families = list(text_string_to_metric_families(path.read_text("utf-8")))
    except (OSError, ValueError, IndexError):
        # Errors of the parser on foreign files.
        return
    for family in families:
        for sample in family.samples:
            if sample.name in names and sample.labels == {"target": target}:
                yield names[sample.name], sample.value
