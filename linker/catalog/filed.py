"""
Results of an index in files of this machine: enters what takes long to work out of a snapshot,
leaves the same, read.

A command lives for one question, and would work out what the one before it did. A file is named by
all that its content follows from: the snapshot, what was learned, the arguments and the code. Who
finds none, or one that was cut off, works it out and writes it; where it cannot be written, nothing
else is different.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Concatenate, Generic, ParamSpec, TypeVar
from zlib import crc32

from linker.catalog.snapshot import ProfiledCatalog
from linker.errors import ConfigError
from linker.files import read_own, state_folder, write_whole

ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")
_FOLDER = "worked-out"
# The folders of the package whose code decides what is worked out.
_CODE = ("catalog", "link", "ranking", "text")


class Filed(Generic[Arguments, ResultT]):
    """
    A function of a catalogue, and how its result is written and read; what is written as nothing
    has no file.
    """

    def __init__(
        self,
        make: Callable[Concatenate[ProfiledCatalog, Arguments], ResultT],
        pack: Callable[[ResultT], bytes],
        unpack: Callable[[bytes, ProfiledCatalog], ResultT],
    ) -> None:
        self.name = f"{make.__module__}.{make.__qualname__}"
        self.pack, self.unpack, self._make = pack, unpack, make

    def __call__(
        self, profiled: ProfiledCatalog, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> ResultT:
        """Work it out."""
        return self._make(profiled, *arguments, **named)


class ResultFiles:
    """
    The files of one state of a target's index, below a state folder; those of its other states are
    taken away.
    """

    def __init__(self, state_dir: Path, target: str, state: str) -> None:
        self._folder, self._target, self._state = (
            state_dir / _FOLDER,
            _short(target),
            _short(state, _code()),
        )

    def of(
        self,
        make: Filed[Arguments, ResultT],
        profiled: ProfiledCatalog,
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """The result of a function: read, or worked out and written."""
        result_name = _short(make.name, arguments, sorted(named.items()))
        path = self._folder / f"{self._target}-{self._state}-{result_name}"
        content = read_own(path) or b""
        if len(content) > 4 and int.from_bytes(content[:4], "little") == crc32(content[4:]):
            return make.unpack(content[4:], profiled)
        result = make(profiled, *arguments, **named)
        if packed := make.pack(result):
            with suppress(OSError, ConfigError):
                state_folder(self._folder.parent, _FOLDER)
                write_whole(path, crc32(packed).to_bytes(4, "little") + packed, is_private=True)
                # Values that they hold may be masked by now.
                for other in self._folder.glob(f"{self._target}-*"):
                    if not other.name.startswith(f"{self._target}-{self._state}-"):
                        other.unlink(missing_ok=True)
        return result


def _short(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@cache
def _code() -> list[tuple[str, int, int]]:
    """Marks that are others where the code is: of two versions, and while somebody works on it."""
    package = Path(__file__).parent.parent
    stats = [
        (path.name, path.stat())
        for folder in _CODE
        for path in (package / folder).iterdir()
        if path.is_file()
    ]
    return sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)
