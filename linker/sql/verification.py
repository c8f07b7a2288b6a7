"""
Checks verified questions: runs the statement of each through the guard, within limits of rows, time
and bytes, and says which failed and why.

A check reads one row. What nothing can have changed is not run again: the same statement over a
warehouse that did not change, checked less than a day ago.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic

from linker.environment import Environment
from linker.errors import GuardError, LinkerError, WarehouseError
from linker.sql.verified import (
    CheckOutcome,
    VerifiedCheck,
    VerifiedQuestion,
    keep_checks,
    read_checks,
    read_questions,
)
from linker.sql_policy.guard import ProbeLimits
from linker.text.words import readable
from linker.types import OnProgress, Record

# Less than a day, so that daily runs check every time.
_CHECKED_LATELY = timedelta(hours=20)
_LONGEST_REASON = 300
_NO_ROWS = "it gives no rows"
_NO_VALUES = "it gives nothing but nulls"
_NOT_SHOWN = "the warehouse gives an error, which may quote a private value: run it to see it"


class VerifiedReport(Record, frozen=True):
    """Checks of a file, the number skipped for time, and a problem that prevented all."""

    checks: tuple[VerifiedCheck, ...] = ()
    unchecked: int = 0
    problem: str = ""

    @property
    def failed(self) -> tuple[VerifiedCheck, ...]:
        """Checks that failed."""
        return tuple(check for check in self.checks if check.outcome != "valid")

    def __str__(self) -> str:
        if self.problem:
            return f"not checked: {self.problem}"
        words = [f"{len(self.checks) - len(self.failed):,} valid"]
        words += [f"{len(self.failed):,} failed"] if self.failed else []
        words += [f"{self.unchecked:,} not checked in time"] if self.unchecked else []
        return ", ".join(words)


class _StatementChecker:
    """Runs statements through the guard and fetches one row."""

    def __init__(self, environment: Environment) -> None:
        limits = ProbeLimits(rows=1, seconds=environment.settings.sql_seconds)
        self._guard = environment.warehouse.guard_within(limits)
        self._session = environment.warehouse.session

    def check(self, item: VerifiedQuestion) -> VerifiedCheck:
        try:
            probe = self._guard.check(item.sql)
        except GuardError as error:
            return _found(item, "broken", error.reason)
        try:
            rows = self._session.query(probe.sql, (), probe.bounds)
        except WarehouseError as error:
            # Warehouses quote literals in errors.
            what = _NOT_SHOWN if probe.has_private_literal else error.what
            return _found(item, "broken", what)
        if not rows:
            return _found(item, "empty", _NO_ROWS)
        if all(cell is None for cell in rows[0]):
            return _found(item, "empty", _NO_VALUES)
        # Only the author may know values of private columns.
        shown = "" if probe.has_private_literal else probe.original.strip()
        return _found(item, "valid", shown=shown, reads=tuple(map(str, probe.tables)))


def check_question(environment: Environment, item: VerifiedQuestion) -> VerifiedCheck:
    """Check one question."""
    return _StatementChecker(environment).check(item)


def check_file(
    environment: Environment,
    on_progress: OnProgress = lambda _done, _total: None,
    *,
    is_current: bool = False,
) -> VerifiedReport:
    """
    Check the file and store results; `is_current` if the warehouse is unchanged since the last
    check.
    """
    questions = read_questions(environment.settings.verified_questions)
    before = {check.digest: check for check in read_checks(environment)}
    due = [item for item in questions if not (is_current and _is_recent(before.get(item.digest)))]
    fresh = _check_due(environment, due, on_progress)
    checks_by_digest = before | {check.digest: check for check in fresh}
    checks = tuple(
        checks_by_digest[item.digest] for item in questions if item.digest in checks_by_digest
    )
    if questions or before:
        keep_checks(environment, checks)
    return VerifiedReport(checks, len(due) - len(fresh))


def check_after_refresh(
    environment: Environment, on_progress: OnProgress, *, is_current: bool
) -> VerifiedReport:
    """The report for a refresh; file and session errors become a problem in it."""
    try:
        return check_file(environment, on_progress, is_current=is_current)
    except LinkerError as error:
        return VerifiedReport(read_checks(environment), problem=error.what)
    finally:
        environment.release_warehouse()


def _check_due(
    environment: Environment, due: Sequence[VerifiedQuestion], on_progress: OnProgress
) -> list[VerifiedCheck]:
    """Checks until the time limit."""
    checks = list[VerifiedCheck]()
    if not due:
        return checks
    ends = monotonic() + environment.settings.timeout
    checker = _StatementChecker(environment)
    for item in due:
        if monotonic() > ends:
            break
        checks.append(checker.check(item))
        on_progress(len(checks), len(due))
    return checks


def _found(
    item: VerifiedQuestion,
    outcome: CheckOutcome,
    reason: str = "",
    *,
    shown: str = "",
    reads: tuple[str, ...] = (),
) -> VerifiedCheck:
    return VerifiedCheck(
        question=item.question,
        digest=item.digest,
        outcome=outcome,
        reason=readable(reason)[:_LONGEST_REASON],
        sql=shown,
        reads=reads,
        checked_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _is_recent(check: VerifiedCheck | None) -> bool:
    if check is None:
        return False
    age = datetime.now(UTC) - datetime.fromisoformat(check.checked_at)
    return timedelta() <= age < _CHECKED_LATELY
