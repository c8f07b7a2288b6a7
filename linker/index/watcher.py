"""
Watcher process that stops the embedded PostgreSQL after its last user is gone.

A killed process cannot say goodbye, so one watcher runs beside each server. It is run by path and
imports the standard library only, to stay small.
"""

import fcntl
import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

USERS = ".handle_pids.json"
# Polling interval for new users.
_LOOK_SECONDS = 1.0


def main(folder: Path, lock: Path) -> None:
    """Wait until the server has no user, then stop it; users join and leave under `lock`."""
    postmaster = postmaster_of(folder)
    while postmaster and postmaster_of(folder) == postmaster and is_alive(postmaster):
        users = living_users(folder)
        if users:
            _wait_for_an_end([postmaster, *users])
        elif _stop_unused(folder, lock, postmaster):
            return


def postmaster_of(folder: Path) -> int:
    """The postmaster's process id; 0 if unknown."""
    with suppress(OSError, ValueError, IndexError):
        return int((folder / "postmaster.pid").read_text("utf-8").split()[0])
    return 0


def read_users(folder: Path) -> list[int]:
    """Registered user processes, including dead ones."""
    with suppress(OSError, ValueError):
        return [int(user) for user in json.loads((folder / USERS).read_text("utf-8") or "[]")]
    return []


def living_users(folder: Path) -> list[int]:
    """Users still running; a process younger than its entry reused the id."""
    users = [user for user in read_users(folder) if is_alive(user)]
    try:
        written_at = (folder / USERS).stat().st_mtime
    except OSError:
        return users
    return [user for user in users if _started_at(user) <= written_at]


def _started_at(process: int) -> float:
    """Start time in seconds since 1970; 0 if unknown."""
    with suppress(OSError, ValueError, IndexError):
        ticks = int(Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[19])
        booted = next(
            line
            for line in Path("/proc/stat").read_text("utf-8").splitlines()
            if line.startswith("btime")
        )
        return int(booted.split()[1]) + ticks / os.sysconf("SC_CLK_TCK")
    return 0.0


def is_alive(process: int) -> bool:
    """Whether a process runs; zombies do not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError, IndexError):
        return (
            Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
            not in "ZX"
        )
    return True


def _wait_for_an_end(processes: list[int]) -> None:
    """Wait until one of them ends, or until the next poll for new users."""
    if not hasattr(os, "pidfd_open"):
        time.sleep(_LOOK_SECONDS)
        return
    opened: list[int] = []
    try:
        opened.extend(os.pidfd_open(process) for process in processes)
        select.select(opened, [], [], _LOOK_SECONDS)
    except OSError:
        # Already gone, or the system call is unsupported.
        time.sleep(_LOOK_SECONDS / 10)
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _stop_unused(folder: Path, lock: Path, postmaster: int) -> bool:
    """Stop the server unless a user joined meanwhile."""
    with lock.open("a") as held:
        # Released with the file; held briefly.
        fcntl.lockf(held, fcntl.LOCK_EX)
        if living_users(folder) or postmaster_of(folder) != postmaster:
            return False
        with suppress(OSError):
            # https://www.postgresql.org/docs/current/server-shutdown.html: a fast shutdown.
            os.kill(postmaster, signal.SIGINT)
        while is_alive(postmaster):
            time.sleep(_LOOK_SECONDS / 10)
        return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
