"""
Memory of statements that passed the check: enters one of ours, leaves the text that may run, checked once.

A look repeats the statements of the look before, and to parse those of ten thousand tables takes longer than to ask
them. What is kept counts for the same text, dialect, parser and rules, and lies in a file that its owner alone can have
written. Outside of `remembered` nothing is kept: what people and models write is always checked.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.metadata import version
from pathlib import Path

from linker.files import read_own, write_whole
from linker.warehouses import WAREHOUSES

# Characters of texts; where there are more, those that a run did not need are forgotten.
_MOST = 5_000_000
# By their digests the texts of runs before and of this one.
_memory: ContextVar[tuple[dict[str, str], dict[str, str]] | None] = ContextVar("memory", default=None)


def checked(sql: str, dialect: str, parameters: int) -> str:
    """The statement as it may run, as `only_reading` gives it."""
    memory = _memory.get() if dialect in WAREHOUSES else None
    known, used = memory or ({}, {})
    key = hashlib.sha256(f"{_rules()} {dialect} {parameters} {sql}".encode()).hexdigest() if memory else ""
    if key not in known:
        from linker.warehouses.base.read_only import only_reading

        used[key] = only_reading(sql, dialect, parameters)
    return used.setdefault(key, known.get(key, ""))


@contextmanager
def remembered(path: Path) -> Iterator[None]:
    """Take from that file what passed before, and keep there what passes in this block."""
    known, used = dict[str, str](), dict[str, str]()
    with suppress(ValueError, TypeError):
        known |= json.loads(read_own(path) or b"{}")
    token = _memory.set((known, used))
    try:
        yield
    finally:
        _memory.reset(token)
        # On a full disk the next run checks again.
        with suppress(OSError):
            if used.keys() - known.keys():
                is_much = sum(map(len, (known | used).values())) > _MOST
                write_whole(path, json.dumps(used if is_much else known | used), is_private=True)


@cache
def _rules() -> str:
    files = sorted(file for file in Path(__file__).parents[1].rglob("*.*") if file.suffix != ".pyc" and file.is_file())
    return hashlib.sha256(version("sqlglot").encode() + b"".join(file.read_bytes() for file in files)).hexdigest()
