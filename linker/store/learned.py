"""What was learned of each target, source by source, in Postgres: enter bytes that only their writer reads."""

import hashlib
import zlib
from datetime import UTC
from typing import Any

import psycopg

from linker.store.base import LearnedSource
from linker.store.history import RunRow


class StoredSources:
    """The sources of every target, in the schema `linker`."""

    def __init__(self, told: RunRow) -> None:
        self._told = told

    def keep(self, target: str, source: str, content: bytes, told: str) -> None:
        """Keep what a source gave, in the place of what it gave before."""
        digest = hashlib.sha256(content).hexdigest()

        def work(connection: psycopg.Connection) -> None:
            connection.execute(
                "insert into linker.prior_uses (target, source, learned_at, told, digest, packed) "
                "values (%s, %s, clock_timestamp(), %s, %s, %s) on conflict (target, source) do update set "
                "learned_at = excluded.learned_at, told = excluded.told, digest = excluded.digest, "
                "packed = excluded.packed",
                (target, source, told, digest, zlib.compress(content)),
            )

        self._told(work)

    def forget(self, target: str, source: str) -> bool:
        """Remove what a source gave; whether there was anything."""

        def work(connection: psycopg.Connection) -> bool:
            removed = connection.execute(
                "delete from linker.prior_uses where target = %s and source = %s", (target, source)
            )
            return removed.rowcount > 0

        return self._told(work)

    def digests(self, target: str) -> dict[str, str]:
        """The SHA-256 of what each source gave."""

        def work(connection: psycopg.Connection) -> dict[str, str]:
            rows = connection.execute("select source, digest from linker.prior_uses where target = %s", (target,))
            return dict(rows.fetchall())

        return self._told(work)

    def sources(self, target: str) -> list[LearnedSource]:
        """What was learned, by the names of the sources."""

        def work(connection: psycopg.Connection) -> list[LearnedSource]:
            rows = connection.execute(
                "select source, learned_at, told, packed from linker.prior_uses where target = %s "
                'order by source collate "C"',
                (target,),
                binary=True,
            )
            return [_read(*row) for row in rows]

        return self._told(work)


def _read(source: str, learned_at: Any, told: Any, packed: bytes) -> LearnedSource:  # noqa: ANN401 - a driver's row
    return LearnedSource(source, learned_at.astimezone(UTC), told, zlib.decompress(packed))
