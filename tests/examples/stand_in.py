"""A fake `linker` command that records its call, prints a text and exits with a code."""

from pathlib import Path


def stand_in(folder: Path, code: int) -> Path:
    """Write it into a folder; its arguments are recorded in `called` there."""
    path = folder / "linker"
    path.write_text(
        f'#!/bin/sh\necho "$@" >"{folder}/called"\necho the run\necho the log >&2\nexit {code}\n',
        "utf-8",
    )
    path.chmod(0o755)
    return path
