"""
Ties a process to the one that started it: enters the pipe that it reads, and ends it when nobody holds the other end.

Whoever started it may be killed, and then cannot tell it to stop; but its end of the pipe is closed all the same.
The system knows that on every platform, whatever either of the two is doing.
"""

import os
import signal
import sys
import threading
from typing import NoReturn

# As a shell says of a process that the keyboard interrupted.
INTERRUPTED = 130


def hold_lifeline() -> str:
    """The first line of standard input; from then on this process ends where that ends, even in a statement."""
    # Whoever is asked to stop does so once: the keyboard reaches both processes, and the other one passes it on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    told = sys.stdin.readline()
    lifeline = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    threading.Thread(target=_end_with, args=(lifeline,), name="lifeline", daemon=True).start()
    return told


def _end_with(lifeline: int) -> NoReturn:
    while os.read(lifeline, 1024):
        pass
    # Not `sys.exit`: nothing may be written any more, by no thread and no handler.
    os._exit(INTERRUPTED)
