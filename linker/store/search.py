"""
The statement that searches. Everything that a question needs is one: neighbours of its vector,
words by full text, values by n-grams. Names and texts travel as parameters.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pgvector import HalfVector
from psycopg import sql

from linker.store.base import Query
from linker.store.places import Place, statement

_RELATIONS = (
    "documents",
    "column_vectors",
    "table_vectors",
    "wordings",
    "lexemes",
    "value_texts",
    "value_places",
)


@lru_cache(maxsize=16)
def hybrid(place: Place) -> bytes:
    """The statement for everything that answers a question."""
    relations = {name: place.relation(name) for name in _RELATIONS}
    search = statement("search").format(collection_id=sql.Literal(place.collection_id), **relations)
    return search.as_bytes(None)


def parameters(query: Query, limit: int, excluded: Sequence[int]) -> dict[str, Any]:
    """The parameters of the statement."""
    return {
        "vector": HalfVector(query.vector),
        "limit": limit,
        "excluded": excluded,
        "words": list(query.words),
        "queries": [quoted(word) for word in query.words],
        "grams": list(query.grams),
    }


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
