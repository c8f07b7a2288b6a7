"""
Errors that the user can fix.

    LinkerError
    ├── ConfigError         a setting, flag, profile or target
    │   └── RunLookupError  an unknown run number
    ├── WarehouseError      connection to the warehouse, or a statement that it rejected
    │   ├── MissingError    a table or column that the warehouse does not have
    │   └── GuardError      a statement refused before it reached the warehouse, with a code
    ├── ArtifactError       profile tables that are missing, empty or of another version
    ├── NameLookupError     a name that matches no table or column, or several
    ├── StoreError          PostgreSQL with pgvector
    ├── BusyError           another run holds the lock
    ├── EmbedderError       the encoder or its weights
    ├── CallerGoneError     the caller disconnected
    ├── ServerBusyError     the queue of the server is full
    ├── ModelError          the language model, with a stable code and the cost so far
    └── BudgetExceeded      a limit on tokens, calls, probes, bytes or time

Any other exception is a bug and keeps its traceback.
"""

from typing import Literal

from linker.types import NOTHING_USED, Usage

# Setup; failed request; unusable answer; user's limits.
SetupCode = Literal["setup", "unauthorized", "quota", "not_found", "rejected"]
RequestCode = Literal["too_long", "rate_limited", "unavailable", "timeout"]
AnswerCode = Literal["refused", "truncated", "empty", "wrong_tool", "malformed", "too_large"]
ModelErrorCode = SetupCode | RequestCode | AnswerCode | Literal["limit"]
LimitName = Literal["max_tokens", "max_calls", "max_probes", "max_bytes", "timeout"]


class LinkerError(Exception):
    """An error that the user can fix: message, and a hint that tracebacks show below it."""

    def __init__(self, what: str, *, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    @property
    def hint(self) -> str:
        return self._hint

    @hint.setter
    def hint(self, hint: str) -> None:
        self._hint = hint
        self.__notes__ = [f"→ {hint}"] if hint else []

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling between processes, with keyword-only fields."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class ConfigError(LinkerError):
    """A setting, flag, profile or target is wrong."""


class RunLookupError(ConfigError):
    """A run number that does not exist."""


class WarehouseError(LinkerError):
    """The warehouse is unreachable, or rejected a statement."""


class MissingError(WarehouseError):
    """A statement names a table or column that does not exist in the warehouse."""


# Prefix of every refusal.
REFUSED = "a statement was refused before it ran: "


class GuardError(WarehouseError):
    """A statement refused before it ran; the code is stable."""

    def __init__(self, what: str, *, hint: str, code: str) -> None:
        super().__init__(what, hint=hint)
        self.code = code

    @property
    def reason(self) -> str:
        """Code and explanation."""
        return f"refused ({self.code}): {self.what.removeprefix(REFUSED)}"


class ArtifactError(LinkerError):
    """Profile tables are missing or unexpected."""


class NameLookupError(LinkerError):
    """A name that matches no table or column, or several."""


class StoreError(LinkerError):
    """The Postgres store is unusable."""


class BusyError(LinkerError):
    """Another run on the same target holds the lock; it is not waited for."""


class CallerGoneError(LinkerError):
    """The caller disconnected."""


class ServerBusyError(LinkerError):
    """The server's queue is full; retry after these seconds."""

    def __init__(self, what: str, *, hint: str, retry_seconds: int) -> None:
        super().__init__(what, hint=hint)
        self.retry_seconds = retry_seconds


class EmbedderError(LinkerError):
    """The embedder cannot be loaded."""


class ModelError(LinkerError):
    """
    The language model is unreachable or gave an invalid answer; docs/models.md explains the codes.
    """

    def __init__(
        self, what: str, *, hint: str, code: ModelErrorCode, usage: Usage = NOTHING_USED
    ) -> None:
        super().__init__(what, hint=hint)
        self.code = code
        self.usage = usage


class BudgetExceeded(LinkerError):  # noqa: N818 - no fault: what was found until then is the answer
    """A step that would exceed a user's limit; it did not start or was aborted."""

    def __init__(self, what: str, *, hint: str, limit: LimitName, step: str) -> None:
        super().__init__(what, hint=hint)
        self.limit = limit
        self.step = step


def first_line(error: BaseException) -> str:
    """A driver's message in one line."""
    return next(
        (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
    )
