"""The index, in Postgres with pgvector: an embedded one in the state folder, or any server by URL."""

from pathlib import Path

from pydantic import SecretStr

from linker.state import state_folder
from linker.store.base import EVERYWHERE, Collection, Found, HeldValue, Query, Ranking, Scope, Store

__all__ = ["EVERYWHERE", "Collection", "Found", "HeldValue", "Query", "Ranking", "Scope", "Store", "open_store"]


def open_store(store_url: SecretStr | None, state_dir: Path) -> Store:
    """Connect to the server of the URL, or start the embedded one."""
    from linker.store.pgvector import PgvectorStore

    if store_url is not None:
        return PgvectorStore.connect(store_url.get_secret_value())
    from linker.store.embedded import start_postgres

    server = start_postgres(state_folder(state_dir) / "postgres")
    return PgvectorStore.connect(server.url, server=server)
