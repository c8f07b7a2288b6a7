"""File helpers: user-written text and YAML, the state folder, and atomic replacement."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linker.errors import ConfigError

# Subject to the umask; monitors run as other users.
_FOR_ALL = 0o666
_FOR_ITS_OWNER = 0o600


def read_text(path: Path, *, hint: str) -> str:
    """Text of a user-written file; errors are one line."""
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", hint=hint) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text in UTF-8", hint="write it as UTF-8") from None


def read_own(path: Path) -> bytes | None:
    """Content of a file that belongs to this user and that no one else can write."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not status.st_mode & 0o077 and (
            not hasattr(os, "getuid") or status.st_uid == os.getuid()
        ):
            return file.read()
    return None


def read_yaml(path: Path, *, hint: str) -> object:
    """Parsed YAML; errors do not quote the file, which may hold secrets."""
    # Imported late: as slow as querying the store, and often there is no file.
    import yaml

    text = read_text(path, hint=hint)
    with valid_yaml(path, hint=hint):
        return yaml.safe_load(text)


@contextlib.contextmanager
def valid_yaml(path: Path, *, hint: str) -> Iterator[None]:
    """Turn parser errors into one line; PyYAML raises anything on dates and tags."""
    import yaml

    try:
        yield
    except (
        yaml.YAMLError,
        ValueError,
        ArithmeticError,
        LookupError,
        AttributeError,
        RecursionError,
    ) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{path}{where}: not valid YAML", hint=hint) from None


def yaml_entries(path: Path, text: str, *, hint: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Entries of a question list with the number of their first line; none for an empty text."""
    import yaml

    with valid_yaml(path, hint=hint):
        root, content = yaml.compose(text, Loader=yaml.SafeLoader), yaml.safe_load(text)
    if content is None:
        return
    if not isinstance(content, list) or not isinstance(root, yaml.SequenceNode):
        raise ConfigError(f"{path} is not a list of questions", hint=hint)
    for node, entry in zip(root.value, content, strict=True):
        line = node.start_mark.line + 1
        if not isinstance(entry, dict):
            raise ConfigError(f"{path}, line {line}: not an entry with fields", hint=hint)
        yield line, {str(name): value for name, value in entry.items()}


def state_folder(state_dir: Path, *parts: str) -> Path:
    """The state folder, created on first use with a .gitignore."""
    folder = state_dir.joinpath(*parts).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = state_dir / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise ConfigError(
            f"cannot write to the state folder {state_dir}: {error.strerror}",
            hint="set `state_dir` to another folder",
        ) from None
    return folder


def write_atomically(path: Path, content: str | bytes, *, is_private: bool = False) -> None:
    """Replace a file atomically; a private one is readable by its owner only."""
    written = content.encode() if isinstance(content, str) else content
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    mode = _FOR_ITS_OWNER if is_private else _FOR_ALL
    try:
        unfinished.unlink(missing_ok=True)
        with os.fdopen(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb"
        ) as file:
            file.write(written)
        unfinished.replace(path)
    finally:
        # After the replacement it no longer exists.
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
