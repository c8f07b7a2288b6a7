"""Lines of a benchmark on stdout, and a progress line on a terminal."""

import sys
from collections.abc import Iterable


def say(line: str) -> None:
    """Update the line; does nothing without a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()


def write_line(line: str) -> None:
    """At once: the next one may take minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Each as it comes."""
    for line in lines:
        write_line(line)
