"""Startup hook of a test session: forwards a command to a fork of the warm process."""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

# The variables that name the folder of the session, and what a process must be like.
FOLDER = "WARM_FOLDER"
LIKE = "WARM_LIKE"
_MODULES = ("linker.dbt.worker", "dbt.cli.main")
_PROGRAMS = ("linker", "dbt")
# Variables that decide how Python begins, and what it imports.
_DECIDING = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "OMP_", "OPENBLAS_", "MKL_", "COVERAGE_")
_SECONDS_TO_START = 120
_PAUSE_SECONDS = 0.02


def warm_words() -> list[str]:
    """The arguments of the command, if it is kept warm."""
    words = sys.orig_argv[1:]
    if words[:1] == ["-m"]:
        return words if words[1:2] and words[1] in _MODULES else []
    folder, _, program = words[0].rpartition("/") if words else ("", "", "")
    is_own = folder == os.path.dirname(sys.executable)
    return words if is_own and program in _PROGRAMS else []


def likeness() -> str:
    """The state that a process and its warm copy must share."""
    import resource
    import signal

    deciding = sorted(
        (name, value) for name, value in os.environ.items() if name.startswith(_DECIDING)
    )
    kinds = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    limits = [resource.getrlimit(getattr(resource, name)) for name in kinds]
    spaces = [os.readlink(f"/proc/self/ns/{name}") for name in ("mnt", "net", "pid", "user")]
    ignored = [number for number in range(1, 32) if signal.getsignal(number) == signal.SIG_IGN]
    who = (*os.getresuid(), *os.getresgid())
    return repr((sys.executable, deciding, limits, spaces, ignored, who))


def connected(folder: str) -> "socket.socket":
    """A connection to the warm process, which the first that needs it starts."""
    import fcntl
    import socket
    import time

    with open(f"{folder}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(f"{folder}/log"):
            _start(folder)
    connection = socket.socket(socket.AF_UNIX)
    for _ in range(round(_SECONDS_TO_START / _PAUSE_SECONDS)):
        try:
            connection.connect(f"{folder}/socket")
        except OSError:
            time.sleep(_PAUSE_SECONDS)
        else:
            return connection
    raise TimeoutError(f"the warm process does not start: {folder}/log says why")


def _start(folder: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != FOLDER}
    with open(f"{folder}/log", "w") as log, open(os.devnull) as nothing:
        streams = [
            (os.POSIX_SPAWN_DUP2, nothing.fileno(), 0),
            (os.POSIX_SPAWN_DUP2, log.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, log.fileno(), 2),
        ]
        server = os.path.join(os.path.dirname(__file__), "server.py")
        command = [sys.executable, server, folder]
        os.posix_spawn(sys.executable, command, environment, file_actions=streams, setsid=True)


def stand_for(words: list[str], folder: str) -> None:
    """Let the warm process run the command, pass signals on to it, and end as it ends."""
    import marshal
    import signal
    import socket

    connection = connected(folder)
    mask = os.umask(0)
    request = marshal.dumps((words, dict(os.environ), os.getcwd(), mask))
    socket.send_fds(connection, [len(request).to_bytes(8, "little")], [0, 1, 2])
    connection.sendall(request)
    # Streams belong to the copy only.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda got, _frame: connection.send(bytes([got])))
    status = int.from_bytes(connection.recv(4), "little")
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


if os.environ.get(FOLDER) and warm_words() and likeness() == os.environ.get(LIKE):
    stand_for(warm_words(), os.environ[FOLDER])
