"""Progress line on a terminal."""

import sys


def say(line: str) -> None:
    """Say how far it is; nobody waits where stderr is no terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()
