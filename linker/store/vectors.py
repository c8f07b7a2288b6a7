"""
Vectors of large collections in files of this machine: enters the place of a collection, leave its
arrays.

Postgres has the vectors; to compare a question with all of them takes it several times as long as
everything else that a search does. A file has those of one version of a collection, by which it is
named, and never changes. Who writes a collection makes its file, and so does a process that
searches it again and again. Without one, Postgres compares.
"""

import os
from collections import Counter
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

import numpy as np
import psycopg
from psycopg import sql

from linker.errors import ConfigError
from linker.files import state_folder
from linker.store.codes import Arrays, code_rows
from linker.store.places import Place

# To make a file takes as long as Postgres takes for some ten searches without: by now others are to
# be expected.
_SEARCHES_THAT_PAY = 3
_BATCH_SIZE = 4_096


class VectorFiles:
    """
    The files below a state folder, each mapped into memory when it is first used; none where there
    is no folder.
    """

    def __init__(self, state_dir: Path | None) -> None:
        self._state_dir = state_dir
        self._mapped: dict[int, tuple[int, Arrays]] = {}
        self._searches = Counter[int]()

    def arrays(
        self, connection: psycopg.Connection, place: Place, *, is_needed: bool = False
    ) -> Arrays | None:
        """
        Those of a large collection, where its file is there, or is needed and there is room for it.
        """
        if not place.is_coded or self._state_dir is None:
            return None
        version, arrays = self._mapped.get(place.collection_id, (None, None))
        if version != place.version:
            path = self._state_dir / "vectors" / _file_name(place.version)
            self._searches[place.version] += 1
            arrays = _read(path, place.dimension)
            if arrays is None and (
                is_needed or self._searches[place.version] == _SEARCHES_THAT_PAY
            ):
                with suppress(OSError, ConfigError):
                    _write(connection, place, state_folder(self._state_dir, "vectors") / path.name)
                arrays = _read(path, place.dimension)
            if arrays is not None:
                self._mapped[place.collection_id] = place.version, arrays
        return arrays


def _file_name(version: int) -> str:
    return f"{version % 2**64:016x}.vectors"


def _read(path: Path, dimension: int) -> Arrays | None:
    """The arrays in a file; one that somebody cut off is as good as none."""
    rows = len(code_rows(np.zeros((1, dimension), dtype=np.float32)))
    with suppress(OSError, ValueError), path.open("rb") as file:
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
        count, left = divmod(len(content) - 8, 4 * dimension + 8 * rows + 8)
        if not left:
            vectors = np.frombuffer(content, np.float32, count * dimension).reshape(
                count, dimension
            )
            codes = np.frombuffer(content, np.uint64, rows * count, vectors.nbytes).reshape(
                rows, count
            )
            keys = np.frombuffer(content, np.int64, count, vectors.nbytes + codes.nbytes)
            return Arrays(keys, codes, vectors, int.from_bytes(content[-8:], "little"))
    return None


def _write(connection: psycopg.Connection, place: Place, path: Path) -> None:
    """Make the file of a collection as it is now, and take away those of what there is no more."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    try:
        with os.fdopen(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
        ) as file:
            versions = _write_arrays(connection, place, file)
            file.flush()
            os.fsync(file.fileno())
        if place.version in versions:
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    stems = {Path(_file_name(version)).stem for version in versions}
    for other in path.parent.iterdir():
        if other.stem not in stems:
            other.unlink(missing_ok=True)


def _write_arrays(connection: psycopg.Connection, place: Place, file: BinaryIO) -> set[int]:
    """
    Vectors of tables, then of columns, then their codes, keys and the number of tables; leaves all
    versions.
    """
    sent_vector = np.dtype([("dimension", ">i4"), ("numbers", ">f4", (place.dimension,))])
    keys, codes, table_count = (
        list[int](),
        [code_rows(np.empty((0, place.dimension), dtype=np.float32))],
        0,
    )
    statement = sql.SQL("select document_key, vector_send(embedding) from {} where is_table = %s")
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        versions = {
            version for [version] in connection.execute("select version from linker.collections")
        }
        for is_table in (True, False):
            with connection.cursor("linker_vectors", binary=True) as cursor:
                cursor.execute(statement.format(place.relation("vectors")), (is_table,))
                while rows := cursor.fetchmany(_BATCH_SIZE):
                    sent = np.frombuffer(b"".join(vector for _, vector in rows), sent_vector)[
                        "numbers"
                    ]
                    vectors = sent.astype(np.float32)
                    vectors /= np.maximum(
                        np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny
                    )
                    keys += [key for key, _ in rows]
                    codes.append(code_rows(vectors))
                    file.write(vectors.data)
            table_count = len(keys) if is_table else table_count
    for array in (
        np.concatenate(codes, axis=1),
        np.array(keys, dtype=np.int64),
        np.array(table_count),
    ):
        file.write(array.tobytes())
    return versions
