"""Writes a small file in one step: whoever reads it meanwhile sees the old or the new content, never a part."""

import contextlib
import os
from pathlib import Path

# Everyone whom the umask lets: monitors run under names of their own.
_FOR_ALL = 0o666
_FOR_ITS_OWNER = 0o600


def write_whole(path: Path, text: str, *, is_private: bool = False) -> None:
    """Replace a file; one that is private can be read by its owner alone."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    mode = _FOR_ITS_OWNER if is_private else _FOR_ALL
    try:
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
        unfinished.replace(path)
    finally:
        # Where it took the other's place there is nothing left of it.
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
