"""Writes a small file in one step: whoever reads it meanwhile sees the old or the new content, never a part."""

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace a file; the umask decides who may read it, as monitors run under names of their own."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, "utf-8")
        unfinished.replace(path)
    finally:
        # Where it took the other's place there is nothing left of it.
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
