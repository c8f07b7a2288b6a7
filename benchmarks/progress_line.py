"""Progress line on a terminal."""

import sys


def say(line: str) -> None:
    """Update the line; does nothing without a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()
