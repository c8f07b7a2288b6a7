"""
Gives every command invalid inputs and counts the outcomes: one line and exit code 2, or a correct
answer.

    python -m benchmarks.bad_inputs

Cases are in `benchmarks.bad_input_cases`. Secrets are placed in the environment, in profiles.yml
and in broken files; none may be printed.
"""

import json
import re
import signal
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

import click
from click.testing import CliRunner

from benchmarks.bad_input_cases import SECRET, Case, cases, make_world
from linker.cli import main as linker
from linker.config.settings import load_settings
from linker.environment import Environment

FIGURES = Path(__file__).parent / "safety" / "inputs.json"
# More seconds than any command may take over an input of this size, on a busy machine.
_MAX_SECONDS = 240
_LINE = re.compile(r"error: .+\n   →   .+\n\Z")
_USAGE = re.compile(r"Usage: .+\n(Try .+\n)?\n?Error: .+\n\Z", re.DOTALL)
# Allowed lines before it: finished stages, and warnings.
_BEFORE = re.compile(r"(✓ |… |warning: |auto: )")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a case; `problem` is empty if correct."""

    case: Case
    exit_code: int
    seconds: float
    problem: str = ""
    shown: str = ""


def run_case(case: Case, folder: Path) -> Outcome:
    """Run a case and check its result; files are restored."""
    variables = {
        "OPENAI_API_KEY": f"sk-{SECRET}",
        "SHOP_PASSWORD": SECRET,
        "HOME": str(folder),
        **case.variables,
    }
    started = perf_counter()
    with chdir(folder), _files(case.files), _alarm():
        done = CliRunner().invoke(linker, [*case.command, *case.arguments], env=variables)
    seconds = perf_counter() - started
    is_bug = done.exception is not None and not isinstance(done.exception, SystemExit)
    shown = "".join(traceback.format_exception(done.exception)) if is_bug else done.stderr
    return Outcome(
        case,
        done.exit_code,
        seconds,
        _problem(done.exit_code, done.stdout, done.stderr, is_bug=is_bug),
        shown,
    )


def _problem(exit_code: int, stdout: str, stderr: str, *, is_bug: bool) -> str:
    if SECRET in stdout + stderr:
        return "secret"
    if is_bug or "Traceback" in stderr:
        return "traceback"
    lines = stderr.splitlines(keepends=True)
    rest = "".join(line for line in lines if not _BEFORE.match(line))
    if exit_code == 2 and not (_LINE.fullmatch(rest) or _USAGE.fullmatch(rest)):
        return "not one line"
    return "" if exit_code in (0, 1, 2, 3) else f"exit code {exit_code}"


@contextmanager
def _files(files: Mapping[str, bytes]) -> Iterator[None]:
    """Files with this content during the block."""
    before: dict[str, bytes | None] = {
        name: Path(name).read_bytes() if Path(name).exists() else None for name in files
    }
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)
    try:
        yield
    finally:
        for name, kept in before.items():
            Path(name).unlink() if kept is None else Path(name).write_bytes(kept)


@contextmanager
def _alarm() -> Iterator[None]:
    """Abort a hanging command, which counts as a traceback."""

    def stop(*_: object) -> None:
        raise RuntimeError(f"no end after {_MAX_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_MAX_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def prepare(folder: Path) -> None:
    """Create a small warehouse with profiles and index."""
    import duckdb

    with duckdb.connect(str(folder / "wh.duckdb")) as connection:
        connection.execute("create schema shop")
        connection.execute(
            "create table shop.orders as select i as order_id, 2 * i as price, i % 3 as state "
            "from range(99) t(i)"
        )
        connection.execute(
            "create table shop.plain as select i as id, i as order_id from range(50) t(i)"
        )
    make_world(folder)
    with chdir(folder):
        done = CliRunner().invoke(linker, ["refresh"], env={"HOME": str(folder)})
    if done.exit_code:
        raise RuntimeError(done.output)


@contextmanager
def held_store(folder: Path) -> Iterator[None]:
    """Keep the store open, so that commands start no server of their own."""
    with chdir(folder), Environment(load_settings({}, {})) as environment:
        environment.store.describe()
        with chdir("/"):
            yield


def run_all(chosen: Iterable[Case], folder: Path) -> Iterator[Outcome]:
    """Run cases one after the other."""
    with held_store(folder):
        for case in chosen:
            yield run_case(case, folder)


def table_of(outcomes: Iterable[Outcome], every: int) -> dict[str, object]:
    """The figures by command, for docs/safety.md."""
    by_command: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_command.setdefault(" ".join(outcome.case.command), []).append(outcome)
        by_command.setdefault("all", []).append(outcome)
    rows = [
        _row(command, by_command[command])
        for command in sorted(by_command, key=lambda name: (name == "all", name))
    ]
    return {
        "title": "Invalid inputs to every command",
        "command": "make bench-inputs" + (f" EVERY={every}" if every > 1 else ""),
        "date": date.today().isoformat(),
        "note": (
            "Options, arguments, settings, variables and files with invalid bytes, binary, empty, "
            "huge, deeply nested and misleading contents, folders, missing files. Refused: exit "
            "code 2, one line. Answered: any other regular end. Secrets: passwords planted in "
            "files and variables."
        ),
        "columns": [
            "command",
            "inputs",
            "refused",
            "answered",
            "not one line",
            "tracebacks",
            "secrets shown",
        ],
        "rows": rows,
    }


def _row(command: str, outcomes: Sequence[Outcome]) -> list[object]:
    problems = Counter(outcome.problem for outcome in outcomes)
    refused = sum(outcome.exit_code == 2 for outcome in outcomes if not outcome.problem)
    odd = sum(
        count for problem, count in problems.items() if problem not in ("", "traceback", "secret")
    )
    return [
        f"linker {command}" if command != "all" else command,
        len(outcomes),
        refused,
        problems[""] - refused,
        odd,
        problems["traceback"],
        problems["secret"],
    ]


@click.command()
@click.option("--every", default=1, show_default=True, help="Try one of so many inputs.")
def main(every: int) -> None:
    """Run all cases, write the figures, and report failures."""
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        for outcome in run_all(list(cases())[::every], Path(folder)):
            outcomes.append(outcome)
            if outcome.problem:
                click.echo(f"{outcome.problem}: {outcome.case}\n{outcome.shown}", err=True)
            if len(outcomes) % 50 == 0:
                click.echo(f"{len(outcomes):,} inputs", err=True)
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(
        json.dumps(table_of(outcomes, every), ensure_ascii=False, indent=1) + "\n", "utf-8"
    )
    raise SystemExit(any(outcome.problem for outcome in outcomes))


if __name__ == "__main__":
    main()
