"""
Files are compared with their digests before they are loaded: enters a folder, leaves nothing, or an error.

Reading ninety megabytes takes a fifth of a second, so what was compared is remembered by path, size, inode and times:
a file that was written to or replaced since is compared again.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from linker.errors import ConfigError, EmbedderError
from linker.files import state_folder

_MEMORY = "checked-files.json"
_Memory = dict[str, list[object]]


def refuse_other_bytes(
    folder: Path, digests: Mapping[str, str], *, install: str, state_dir: Path | None = None
) -> None:
    """Every file must be the one that this version was tested with; the state folder remembers that it was."""
    memory = state_dir / _MEMORY if state_dir else None
    known = _read(memory)
    seen = dict(known)
    for name, expected in digests.items():
        path = folder / name
        if not path.is_file():
            raise EmbedderError(f"{path} is missing", hint=install)
        entry = [*_marks(path), expected]
        if known.get(str(path)) == entry:
            continue
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise EmbedderError(f"{path} is not the file that this version was tested with", hint=install)
        seen[str(path)] = entry
    if state_dir and seen != known:
        # A folder that cannot be written to costs the next process a fifth of a second, and no answer.
        with suppress(OSError, ConfigError):
            (state_folder(state_dir) / _MEMORY).write_text(json.dumps(seen), "utf-8")


def _marks(path: Path) -> list[int]:
    """What changes with the content; the time of change, unlike that of modification, cannot be set."""
    stat = path.stat()
    return [stat.st_size, stat.st_ino, stat.st_mtime_ns, stat.st_ctime_ns]


def _read(memory: Path | None) -> _Memory:
    """What was remembered. A file that another process is just writing counts as none."""
    if memory is None:
        return {}
    try:
        content = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
