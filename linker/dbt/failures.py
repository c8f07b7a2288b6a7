"""
Explains a failure of dbt to the user: enters dbt's reason, leaves what happened and the one thing to do.

Drivers say the same things in many words; those that people meet while a schedule runs at night are known here.
Values are never in these words: what reads values is stripped of them before.
"""

import re
from functools import cache

from linker.config.installed import install_command
from linker.errors import WarehouseError
from linker.warehouses import WAREHOUSES, shipped_dialects

# The first that fits decides, those of a warehouse before them: by what it says, what happened and what to do.
_KNOWN = (
    (
        r"could not find adapter type (?P<name>\w+)",
        "dbt has no adapter for {name} here",
        "{install}",
    ),
    (
        r"no space left on device|disk full|disk is full|file too large|out of disk|disk quota exceeded"
        r"|could not extend file|failed to allocate block",
        "the disk of the warehouse is full",
        "make room; what was finished stays: run it again",
    ),
    (
        r"password authentication failed|no password supplied|incorrect username or password|authentication failed"
        r"|authentication is required|(token|credential|password|session|certificate)s?\b.{0,40}\bexpired"
        r"|invalid_grant|jwt token is invalid|reauthentication|could not automatically determine credentials"
        r"|default credentials were not found|pg_hba\.conf|role .* does not exist|role .* is not permitted to log in"
        r"|invalid authentication|unauthorized|invalid oauth|user temporarily locked",
        "the warehouse refused the credentials",
        "check the user and the secret of the target in profiles.yml; they may have expired",
    ),
    (
        r"connection refused|could not connect|connection to server .* failed|timeout expired|connection timed out"
        r"|could not translate host name|name or service not known|temporary failure in name resolution"
        r"|server closed the connection|terminating connection|connection already closed|connection not open"
        r"|connection reset|ssl syscall|network is unreachable|no route to host|max retries exceeded"
        r"|failed to establish a new connection|remote end closed connection|the database system is (starting|shutting)"
        r"|failed to connect to db|connection has been closed|broken pipe",
        "the warehouse cannot be reached, or no longer",
        "check that it is up, and the address of the target in profiles.yml; what was finished stays: run it again",
    ),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    of_warehouses = [
        (failure.pattern, failure.what, failure.hint) for dialect in shipped_dialects() for failure in dialect.failures
    ]
    return tuple(
        (re.compile(pattern, re.IGNORECASE | re.DOTALL), what, hint)
        for pattern, what, hint in (*of_warehouses, *_KNOWN)
    )


def is_of_the_whole_run(reason: str) -> bool:
    """Tell if it is the fault of no table: the next one would fail as well."""
    return any(pattern.search(reason) for pattern, _, _ in _patterns())


def explained(reason: str, log: object) -> WarehouseError:
    """An error in the user's words, with dbt's own behind them."""
    for pattern, what, hint in _patterns():
        if found := pattern.search(reason):
            named = {name: text.lower() for name, text in found.groupdict().items()}
            if adapter := named.get("name"):
                named["install"] = install_command(adapter) if adapter in WAREHOUSES else f"pip install dbt-{adapter}"
            return WarehouseError(f"{what.format(**named)}: {reason}", hint=hint.format(**named))
    return WarehouseError(f"dbt failed: {reason}", hint=f"the whole log is {log}")
