"""
What `linker refresh` does around a run: again and again with `--every`, and files for monitors.

Leaves by the end of the loop, which a signal asked for, or by what the run itself raised.
"""

import contextlib
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linker.cli.log import is_json, line_of, say
from linker.durations import duration_text, parse_duration
from linker.errors import BusyError, ConfigError, LinkerError
from linker.run import Run

if TYPE_CHECKING:
    from linker.health import HealthFile
    from linker.schedule import Standing

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path, dir_okay=False)
_OPTIONS = (
    click.option(
        "--every",
        type=parse_duration,
        metavar="DURATION",
        help="Stay, and run again and again so far apart, such as 6h; SIGTERM ends it.",
    ),
    click.option(
        "--jitter",
        type=parse_duration,
        metavar="DURATION",
        help="With --every: let each run but the first come up to so much later, by chance.",
    ),
    click.option("--health-file", type=_FILE, metavar="FILE", help="With --every: write how it stands, as JSON."),
    click.option(
        "--metrics-file", type=_FILE, metavar="FILE", help="Write what the last run did, as Prometheus reads it."
    ),
)


def repeating_options(command: CommandT) -> CommandT:
    """Add --every, --jitter, --health-file and --metrics-file to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def run_repeatedly(
    run: Callable[[], Run], *, every: timedelta, jitter: timedelta | None = None, health_file: Path | None = None
) -> None:
    """Run until a signal asks for the end; a second signal ends a run with the exit code of that signal."""
    from linker.attention import SignalAttention
    from linker.health import HealthFile
    from linker.schedule import EndNow, Schedule, repeat

    schedule = Schedule(every, jitter or timedelta(0))
    health = HealthFile(_writable(health_file, "--health-file")) if health_file else None
    with SignalAttention(_announce) as attention:
        try:
            repeat(run, schedule, attention, _Teller(health))
        except EndNow:
            raise click.exceptions.Exit(128 + attention.asked_by) from None


def check_together(*, every: timedelta | None, jitter: timedelta | None, health_file: Path | None) -> None:
    """Refuse what only means something with --every."""
    for name, value in (("--jitter", jitter), ("--health-file", health_file)):
        if every is None and value is not None:
            raise click.UsageError(f"{name} needs --every")


def with_metrics(run: Callable[[], Run], metrics_file: Path | None, target: str) -> Callable[[], Run]:
    """The same run, which leaves its metrics however it ends; one that another holds up leaves that one's."""
    if metrics_file is None:
        return run
    path = _writable(metrics_file, "--metrics-file")

    def measured() -> Run:
        started_at = datetime.now(UTC)
        try:
            done = run()
        except BusyError:
            raise
        except LinkerError:
            _write_metrics(path, target, Run(0, "refresh", "failed", started_at, datetime.now(UTC)))
            raise
        _write_metrics(path, target, done)
        return done

    return measured


def _write_metrics(path: Path, target: str, run: Run) -> None:
    from linker.metrics import write_metrics

    try:
        write_metrics(path, target, run)
    except OSError as error:
        say("warning", f"cannot write the metrics to {path}: {error.strerror}")


def _writable(path: Path, flag: str) -> Path:
    """A wrong path is told at the start, not after the first run."""
    folder = path.resolve().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ConfigError(f"cannot write {flag} {path}", hint=f"make {folder} a folder that this user may write to")
    return path


def _announce(name: str) -> None:
    # Within the handler of a signal: a stream may be in use by what it interrupts, the descriptor is not.
    line = line_of("ending", f"{name}: this run is brought to its end; a second one ends it now", signal=name)
    with contextlib.suppress(OSError):
        os.write(2, f"{click.unstyle(line)}\n".encode())


class _Teller:
    """Tells how the loop stands: in the log what is news, in the health file always."""

    def __init__(self, health: "HealthFile | None") -> None:
        self._health = health

    def changed(self, standing: "Standing") -> None:
        """Say what is new."""
        if standing.missed:
            what = "1 run" if standing.missed == 1 else f"{standing.missed:,} runs"
            why = "this machine slept or its clock was set" if standing.state == "running" else "the last took longer"
            say("runs_missed", f"{what} fell out: {why}", missed=standing.missed)
        _say_standing(standing)
        if self._health:
            try:
                self._health.write(standing)
            except OSError as error:
                say("warning", f"cannot write the health file {self._health.path}: {error.strerror}")

    def alive(self, standing: "Standing") -> None:
        """Write the file anew; whoever looks at its age sees that the loop is alive."""
        if self._health:
            # It was said when it began.
            with contextlib.suppress(OSError):
                self._health.write(standing)


def _say_standing(standing: "Standing") -> None:
    due = standing.next_run_at
    when = f"next run {due:%Y-%m-%d %H:%M:%S} UTC, in {_in(due)}" if due else ""
    if standing.state == "ended":
        say("ended", f"ended: {standing.reason}" if standing.reason else "ended")
    elif standing.state == "failed":
        failures = standing.consecutive_failures
        message = f"{standing.reason}; {when}" if when else standing.reason
        say("run_failed", message, hint=standing.hint, consecutive_failures=failures, next_run_at=due)
    elif standing.is_busy and standing.state == "waiting":
        say("run_busy", f"{standing.reason}; {when}" if when else standing.reason, hint=standing.hint, next_run_at=due)
    elif standing.state == "waiting" and due and (is_json() or sys.stderr.isatty()):
        say("waiting", when, next_run_at=due)


def _in(moment: datetime) -> str:
    return duration_text(moment - datetime.now(UTC))
