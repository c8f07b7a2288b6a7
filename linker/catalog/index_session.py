"""
A session on one target's index: its manifest, staleness warnings, and an on-disk cache of derived
data.

Each command answers one question in its own process, so data derived from the index is cached on
disk. Cache keys cover everything a result depends on: index version, usage data, arguments and
code. A missing or truncated entry is recomputed; a read-only disk only disables the cache.
"""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cache
from itertools import chain
from pathlib import Path
from threading import RLock
from time import time
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast
from zlib import crc32

from linker.catalog.snapshot import ProfiledCatalog, unpack, with_prior_use
from linker.config.values import TablePattern
from linker.errors import ConfigError
from linker.files import read_own, state_folder, write_atomically
from linker.index import Snapshot
from linker.text.numbers import age_text

ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")
_FOLDER = "worked-out"
# Folders whose code affects cached results.
_CODE = ("catalog", "linking", "ranking", "text")

_NEVER_WRITTEN = (
    "the index has no record of its catalog, so the warehouse was read; run: linker index",
)
_EXCLUDES_OTHERS = "the setting `exclude` changed since the index was built; run: linker index"
INDEX_CHANGED = "the index was updated during this answer, which may mix old and new; ask again"


class DiskCached(Generic[Arguments, ResultT]):
    """A function of the catalog with a serialiser for its result; None is not cached."""

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
        """Compute the result."""
        return self._make(profiled, *arguments, **named)


class DiskCache:
    """Cache files for one state of a target's index; files of other states are deleted."""

    def __init__(self, state_dir: Path, target: str, state: str) -> None:
        self._folder = state_dir / _FOLDER
        self._target = _short(target)
        self._state = _short(state, _code())

    def get(
        self,
        make: DiskCached[Arguments, ResultT],
        profiled: ProfiledCatalog,
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """The cached result, or compute and write it."""
        result_name = _short(make.name, arguments, sorted(named.items()))
        path = self._folder / f"{self._target}-{self._state}-{result_name}"
        content = read_own(path) or b""
        if len(content) > 4 and int.from_bytes(content[:4], "little") == crc32(content[4:]):
            return make.unpack(content[4:], profiled)
        result = make(profiled, *arguments, **named)
        if packed := make.pack(result):
            with suppress(OSError, ConfigError):
                state_folder(self._folder.parent, _FOLDER)
                write_atomically(
                    path, crc32(packed).to_bytes(4, "little") + packed, is_private=True
                )
                # Old files may hold values that are masked by now.
                for other in self._folder.glob(f"{self._target}-*"):
                    if not other.name.startswith(f"{self._target}-{self._state}-"):
                        other.unlink(missing_ok=True)
        return result


def _short(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@cache
def _code() -> list[tuple[str, int, int]]:
    """Cache key of the code: it changes with the version and with edits in a checkout."""
    package = Path(__file__).parent.parent
    paths = chain.from_iterable((package / folder).iterdir() for folder in _CODE)
    stats = [(path.name, path.stat()) for path in paths if path.is_file()]
    return sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)


class Memo:
    """Thread-safe memo of functions of one catalog."""

    def __init__(self, profiled: ProfiledCatalog, files: DiskCache | None = None) -> None:
        self.profiled, self._files = profiled, files
        self._results: dict[Hashable, object] = {}
        self._locks: dict[Hashable, Any] = {}

    def get(
        self,
        make: Callable[Concatenate[ProfiledCatalog, Arguments], ResultT],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> ResultT:
        """The result of `make`, which must be hashable."""
        key = (make, arguments, tuple(sorted(named.items())))
        if key in self._results:
            return cast("ResultT", self._results[key])
        # Other threads may compute other results meanwhile.
        with self._locks.setdefault(key, RLock()):
            if key not in self._results:
                if self._files and isinstance(make, DiskCached):
                    self._results[key] = self._files.get(make, self.profiled, *arguments, **named)
                else:
                    self._results[key] = make(self.profiled, *arguments, **named)
            return cast("ResultT", self._results[key])


class Index(Protocol):
    @property
    def derived(self) -> Memo:
        """The catalog that the index was built from, with memoised results."""

    def reload_if_changed(self) -> None:
        """Discard it if the index has changed since."""

    def warnings(self) -> tuple[str, ...]:
        """Reasons why an answer may mix two states of the warehouse; call it after answering."""


class StoredIndex:
    """
    The index in the store with its snapshot; the warehouse stays closed.

    For an index without a snapshot (older versions) the profile tables are read, and `warnings` say
    so.
    """

    def __init__(
        self,
        read_snapshot: Callable[[str], Snapshot | None],
        read_artifacts: Callable[[], ProfiledCatalog],
        warn_age: timedelta | None,
        files: Callable[[str], DiskCache] | None = None,
        exclude: Sequence[TablePattern] = (),
    ) -> None:
        self._exclude = tuple(map(str, exclude))
        self._read_snapshot = read_snapshot
        self._read_artifacts = read_artifacts
        self._warn_age = warn_age
        self._files = files
        self._snapshot: Snapshot | None = None
        # Digests are kept also for data of another version, which is not readable here.
        self._digests = ("", "")
        self._derived: Memo | None = None
        self._lock = RLock()

    @property
    def derived(self) -> Memo:
        """A new one if a digest of the index or of the usage statistics changed."""
        with self._lock:
            if self._derived is None:
                self._snapshot = self._read_snapshot("")
                self._digests = (
                    (self._snapshot.digest, self._snapshot.learned_digest)
                    if self._snapshot
                    else ("", "")
                )
                content = self._snapshot.content if self._snapshot else None
                profiled = unpack(content) if content else None
                if profiled is None:
                    self._snapshot, profiled = None, self._read_artifacts()
                elif self._snapshot and self._snapshot.learned:
                    profiled = with_prior_use(profiled, self._snapshot.learned)
                files = self._files(repr(self._digests)) if self._snapshot and self._files else None
                self._derived = Memo(profiled, files)
            return self._derived

    def reload_if_changed(self) -> None:
        """Makes long sessions see an index that others published."""
        with self._lock:
            if self._derived is None:
                return
            now = self._read_snapshot(self._digests[0])
            if now and (now.digest, now.learned_digest) != self._digests:
                self._derived = None

    def warnings(self) -> tuple[str, ...]:
        with self._lock:
            derived, snapshot = self._derived, self._snapshot
        if derived is None:
            return ()
        if snapshot is None:
            return _NEVER_WRITTEN
        now = self._read_snapshot(snapshot.digest)
        if now and now.digest == snapshot.digest:
            warnings = tuple(_old(now.refreshed_at, self._warn_age))
            is_excluding = derived.profiled.excluded == self._exclude
            return warnings if is_excluding else (*warnings, _EXCLUDES_OTHERS)
        return (INDEX_CHANGED,)


class FixedIndex:
    """An index that never changes, with a known catalog."""

    def __init__(self, profiled: ProfiledCatalog) -> None:
        self.derived = Memo(profiled)

    def reload_if_changed(self) -> None: ...

    def warnings(self) -> tuple[str, ...]:
        return ()


def _old(refreshed_at: float | None, limit: timedelta | None) -> tuple[str, ...]:
    """A warning if the last refresh is older than the limit."""
    age = timedelta(seconds=time() - refreshed_at) if refreshed_at else timedelta()
    if not limit or age <= limit:
        return ()
    return (f"this answer uses profiles from {age_text(age)} ago; run: linker refresh",)
