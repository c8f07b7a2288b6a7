"""
Results file of a run: one line per question and column budget, resumable after a kill.

The header names suite, strategy and settings; a run with any other configuration is refused.
Answers hold no gold and no scores except verdicts on SQL. One process writes at a time. A kill
tears at most the last line: readers skip it and the next writer truncates it.
"""

import fcntl
import json
import os
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import msgspec

from linker.errors import LinkerError
from linker.evaluation import Prediction
from linker.types import Record, as_dict

FORMAT = 2

Task = tuple[str, int | None]


class Header(Record, frozen=True):
    """Origin of the answers; digests cover the settings and the document template."""

    suite: str
    strategy: str
    settings: str
    template: str
    versions: tuple[tuple[str, str], ...] = ()


class Results(Record, frozen=True):
    """Content of a file; the last answer per question and budget wins."""

    header: Header
    predictions: tuple[Prediction, ...]


def unfinished(
    tasks: Iterable[Task],
    predictions: Iterable[Prediction],
    *,
    retry_errors: bool = False,
    to_judge: Collection[str] = (),
) -> tuple[Task, ...]:
    """Tasks without an answer, in order; optionally failed ones and those without SQL."""
    done = {
        (prediction.question_id, prediction.budget)
        for prediction in predictions
        if (
            not retry_errors
            if prediction.error
            else prediction.judged or prediction.question_id not in to_judge
        )
    }
    return tuple(task for task in tasks if task not in done)


def read_results(path: Path) -> Results:
    """Read a results file, which another process may be writing."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LinkerError(
            f"cannot read {path}: {error.strerror}", hint="name a file that `linker eval` wrote"
        ) from None
    lines = content.split(b"\n")[:-1]
    if not lines:
        raise LinkerError(f"{path} has no results", hint="run `linker eval` with that file again")
    header = _header(lines[0], path)
    answers = {}
    for number, line in enumerate(lines[1:], start=2):
        prediction = _prediction(line, path, number)
        answers[prediction.question_id, prediction.budget] = prediction
    return Results(header, tuple(answers.values()))


class ResultFile(AbstractContextManager["ResultFile"]):
    """A results file open for appending."""

    def __init__(self, path: Path, header: Header) -> None:
        """Open or create the file; a file of another configuration is refused."""
        self.path = path
        self.header = header
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise LinkerError(
                f"cannot write {path}: {error.strerror}", hint="name another file"
            ) from None
        with ExitStack() as refused:
            refused.callback(self._file.close)
            self._begin()
            refused.pop_all()

    def append(self, prediction: Prediction) -> None:
        """Append an answer durably: it survives a kill of the process."""
        if prediction.strategy != self.header.strategy:
            raise ValueError(
                f"an answer of {prediction.strategy} in the results of {self.header.strategy}"
            )
        try:
            self._write(_line(as_dict(prediction)))
        except OSError as error:
            raise LinkerError(
                f"cannot write {self.path}: {error.strerror}",
                hint="fix that and run again: finished answers are kept",
            ) from None

    def close(self) -> None:
        """Flush to disk and close."""
        os.fsync(self._file.fileno())
        self._file.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    def _begin(self) -> None:
        """Lock the file, write a missing header, and truncate a torn line."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LinkerError(
                f"another run is writing {self.path}",
                hint="wait for its end, or give this run a folder with --out",
            ) from None
        content = self.path.read_bytes()
        first, newline, _ = content.partition(b"\n")
        ours = _line({"format": FORMAT, **as_dict(self.header)})
        if not newline and ours.startswith(first):
            self._file.truncate(0)
            self._write(ours)
        else:
            _refuse_another(self.path, _header(first, self.path), self.header)
            self._file.truncate(content.rfind(b"\n") + 1)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _refuse_another(path: Path, header: Header, wanted: Header) -> None:
    for name, ours in as_dict(wanted).items():
        theirs = getattr(header, name)
        if theirs != ours:
            raise LinkerError(
                f"{path} has results of another configuration: {name} {_shown(theirs)}, not "
                f"{_shown(ours)}",
                hint="give this run a file of its own, or remove that one",
            )


def _shown(value: str | tuple[tuple[str, str], ...]) -> str:
    return value if isinstance(value, str) else " ".join("-".join(pair) for pair in value) or "none"


def _header(line: bytes, path: Path) -> Header:
    try:
        record = json.loads(line)
        version = record.pop("format")
        header = msgspec.convert(record, Header)
    except (ValueError, TypeError, KeyError, AttributeError, msgspec.ValidationError):
        raise LinkerError(
            f"{path} is not a results file", hint="name a file that `linker eval` wrote"
        ) from None
    if version != FORMAT:
        raise LinkerError(
            f"{path} has results of format {version}, not {FORMAT}", hint="run `linker eval` again"
        )
    return header


def _prediction(line: bytes, path: Path, number: int) -> Prediction:
    try:
        return msgspec.json.decode(line, type=Prediction)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise LinkerError(
            f"line {number} of {path} is not an answer",
            hint="remove that line, and its question is answered again",
        ) from None
