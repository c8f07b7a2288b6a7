"""Files: the state folder, and files that are replaced in one step, so that nobody reads a part of them."""

import contextlib
import os
from pathlib import Path

from linker.errors import ConfigError

# Everyone whom the umask lets: monitors run under names of their own.
_FOR_ALL = 0o666
_FOR_ITS_OWNER = 0o600


def state_folder(state_dir: Path, *parts: str) -> Path:
    """A folder inside the state folder, made when it is first needed; git is told to leave it alone."""
    folder = state_dir.joinpath(*parts).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = state_dir / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise ConfigError(
            f"cannot write to the state folder {state_dir}: {error.strerror}", hint="set `state_dir` to another folder"
        ) from None
    return folder


def write_whole(path: Path, content: str | bytes, *, is_private: bool = False) -> None:
    """Replace a file; one that is private can be read by its owner alone."""
    written = content.encode() if isinstance(content, str) else content
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    mode = _FOR_ITS_OWNER if is_private else _FOR_ALL
    try:
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(written)
        unfinished.replace(path)
    finally:
        # Where it took the other's place there is nothing left of it.
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
