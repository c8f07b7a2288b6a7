"""
Keeps the answers of a run in a file, one line a question and budget: enter answers, leaves those given so far.

A killed run goes on where it stopped, and scoring needs no linking.

The first line is the header: which suite, strategy and settings the answers belong to. A run of anything else is
refused, as a file holds answers of one configuration only. Answers hold neither gold nor scores.

A line is written by one call while the file is locked, so several processes may append at once and a kill tears at
most the last line. A torn line is dropped by readers and cut off by the next writer. What was written survives the
kill of the process; it is also forced to disk, at most once a second, as a crash of the machine may cost a second
but a sync for each line would cost more than a quick strategy's answer.
"""

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from linker.errors import LinkerError
from linker.evaluation.types import Prediction, RankedColumn
from linker.types import ColumnRef, TableRef

FORMAT = 1
SECONDS_BETWEEN_SYNCS = 1.0
_CHUNK = 1 << 16

Task = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Header:
    """Origin of the answers of a file; digests are of all settings, and of the template of the documents."""

    suite: str
    strategy: str
    settings: str
    template: str
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """Content of a file. Of several answers to one question and budget the last one counts, but all of them cost."""

    header: Header
    predictions: tuple[Prediction, ...]
    cost: float


def unfinished(
    tasks: Iterable[Task], predictions: Iterable[Prediction], *, retry_errors: bool = False
) -> tuple[Task, ...]:
    """The questions and budgets that have no answer yet, in the order given; failed ones too where asked for."""
    done = {
        (prediction.question_id, prediction.budget)
        for prediction in predictions
        if not (retry_errors and prediction.error)
    }
    return tuple(task for task in tasks if task not in done)


def read_results(path: Path) -> Results:
    """Read what a file holds so far, whoever may be writing to it."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            whole = file.read()
    except OSError as error:
        raise LinkerError(
            f"cannot read {path}: {error.strerror}", hint="name a file that `linker eval` wrote"
        ) from None
    lines = whole.split(b"\n")[:-1]
    if not lines:
        raise LinkerError(f"{path} holds no results", hint="run `linker eval` with that file again")
    header = _header(lines[0], path)
    answers, cost = {}, 0.0
    for number, line in enumerate(lines[1:], start=2):
        prediction = _prediction(line, header.strategy, path, number)
        answers[prediction.question_id, prediction.budget] = prediction
        cost += prediction.cost
    return Results(header, tuple(answers.values()), cost)


class ResultFile:
    """A file of results that is open for more; threads and processes may share it."""

    def __init__(self, path: Path, header: Header) -> None:
        """Open the file, made with its header where it is new, or refuse it where it holds another configuration."""
        self.path = path
        self.header = header
        self._threads = threading.Lock()
        self._synced = time.monotonic()
        self._descriptor = self._opened()
        with ExitStack() as refused:
            refused.callback(os.close, self._descriptor)
            with self._locked():
                self._begin()
            refused.pop_all()

    def append(self, prediction: Prediction) -> None:
        """Write one answer; when this returns, a kill of the process no longer loses it."""
        if prediction.strategy != self.header.strategy:
            raise ValueError(f"an answer of {prediction.strategy} in the results of {self.header.strategy}")
        try:
            with self._locked():
                self._cut_torn_line()
                self._write(_line(_record(prediction)))
            if time.monotonic() - self._synced >= SECONDS_BETWEEN_SYNCS:
                self._sync()
        except OSError as error:
            raise LinkerError(
                f"cannot write {self.path}: {error.strerror}", hint="make room and run again: what was answered is kept"
            ) from None

    def close(self) -> None:
        """Force to disk what was written."""
        self._sync()
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _opened(self) -> int:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise LinkerError(f"cannot write {self.path}: {error.strerror}", hint="name another file") from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the file alone, against other processes and against threads that share this object."""
        with self._threads:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _begin(self) -> None:
        """Write the header where there is none yet; what is there is looked at before anything of it is touched."""
        ours = _line({"format": FORMAT, **asdict(self.header)})
        with self.path.open("rb") as file:
            theirs = file.readline()
        if ours.startswith(theirs) and theirs != ours:
            os.ftruncate(self._descriptor, 0)
            self._write(ours)
        else:
            _refuse_another(self.path, _header(theirs, self.path), self.header)

    def _cut_torn_line(self) -> None:
        """Cut off what a killed writer left without its end; nobody else writes while this holds the file."""
        size = end = os.fstat(self._descriptor).st_size
        while end:
            start = max(0, end - _CHUNK if end < size else end - 1)
            newline = os.pread(self._descriptor, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end < size:
            os.ftruncate(self._descriptor, end)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def _sync(self) -> None:
        os.fsync(self._descriptor)
        self._synced = time.monotonic()


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def _refuse_another(path: Path, found: Header, wanted: Header) -> None:
    for name, ours in asdict(wanted).items():
        theirs = getattr(found, name)
        if theirs != ours:
            raise LinkerError(
                f"{path} holds results of another configuration: {name} {_shown(theirs)}, not {_shown(ours)}",
                hint="give this run a file of its own, or remove that one",
            )


def _shown(value: str | tuple[tuple[str, str], ...]) -> str:
    return value if isinstance(value, str) else " ".join("-".join(pair) for pair in value) or "none"


def _header(line: bytes, path: Path) -> Header:
    try:
        record = json.loads(line)
        found = record.pop("format")
        header = Header(**{**record, "versions": tuple((name, version) for name, version in record["versions"])})
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LinkerError(f"{path} does not begin as results do", hint="name a file that `linker eval` wrote") from None
    if found != FORMAT:
        raise LinkerError(f"{path} has results of format {found}, not {FORMAT}", hint="run `linker eval` anew")
    return header


def _record(prediction: Prediction) -> dict[str, Any]:
    """An answer as JSON; columns name their table by its number in `refs`, as a line repeats few tables often."""
    columns = [column.ref for column in prediction.columns] + [ref for _, refs in prediction.seen for ref in refs]
    number = {ref: n for n, ref in enumerate(dict.fromkeys([*prediction.tables, *(ref.table for ref in columns)]))}

    def placed(refs: Sequence[ColumnRef]) -> list[tuple[int, str]]:
        return [(number[ref.table], ref.path) for ref in refs]

    return {
        "question": prediction.question_id,
        "budget": prediction.budget,
        "refs": [(ref.schema, ref.name) for ref in number],
        "tables": [number[ref] for ref in prediction.tables],
        "columns": [
            (number[column.ref.table], column.ref.path, column.score, column.credibility)
            for column in prediction.columns
        ],
        "seen": [(step, placed(refs)) for step, refs in prediction.seen],
        **{name: getattr(prediction, name) for name in ("seconds", "tokens", "calls", "probes", "cost")},
        "sql": prediction.sql,
        "warnings": prediction.warnings,
        "error": prediction.error,
    }


def _prediction(line: bytes, strategy: str, path: Path, number: int) -> Prediction:
    try:
        record = json.loads(line)
        tables = [TableRef(schema, name) for schema, name in record["refs"]]
        return Prediction(
            question_id=record["question"],
            strategy=strategy,
            budget=record["budget"],
            columns=tuple(
                RankedColumn(ColumnRef(tables[table], path), score, credibility)
                for table, path, score, credibility in record["columns"]
            ),
            tables=tuple(tables[table] for table in record["tables"]),
            seen=tuple(
                (step, tuple(ColumnRef(tables[table], path) for table, path in refs)) for step, refs in record["seen"]
            ),
            **{name: record[name] for name in ("seconds", "tokens", "calls", "probes", "cost", "sql", "error")},
            warnings=tuple(record["warnings"]),
        )
    except (ValueError, TypeError, KeyError, IndexError):
        raise LinkerError(
            f"line {number} of {path} is no answer", hint="remove that line, and its question is answered again"
        ) from None
