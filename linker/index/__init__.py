"""The index: PostgreSQL with pgvector, embedded in the state folder or on any server by URL."""

from pathlib import Path

from linker.config.values import Secret
from linker.files import state_folder
from linker.index.base import (
    Collection,
    IndexManifest,
    Query,
    Ranking,
    SearchResult,
    Snapshot,
    ValueHit,
)
from linker.index.embedded import start_postgres
from linker.index.pgvector import Store

__all__ = [
    "Collection",
    "IndexManifest",
    "Query",
    "Ranking",
    "SearchResult",
    "Snapshot",
    "Store",
    "ValueHit",
    "has_store",
    "open_store",
]


def has_store(store_url: Secret | None, state_dir: Path) -> bool:
    """Whether a store exists: a server, or an embedded one already created."""
    return store_url is not None or (state_dir / "postgres" / "PG_VERSION").is_file()


def open_store(store_url: Secret | None, state_dir: Path, *, kept_runs: int = 400) -> Store:
    """
    Connect to the server, or start the embedded one; `kept_runs` limits the history per target.
    """
    if store_url is not None:
        return Store(store_url.get_secret_value(), kept_runs=kept_runs)
    server = start_postgres(state_folder(state_dir) / "postgres")
    try:
        return Store(server.url, server=server, kept_runs=kept_runs)
    except BaseException:
        server.stop()
        raise
