"""
The statement that searches: enter the place of a collection, a query and exclusions, leave SQL and
its parameters.

Everything that a question needs is one statement: neighbours of its vector, words by full text,
values by n-grams. Names and texts travel as parameters.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from psycopg import sql

from linker.store.base import Query
from linker.store.codes import Near
from linker.store.places import Place, statement


@lru_cache(maxsize=16)
def hybrid(place: Place, *, has_arrays: bool) -> bytes:
    """
    The statement for everything that answers a question; its row is of arrays, after the version.
    """
    # What lies near is known, or found there among all of a kind.
    near, vectors = statement("told" if has_arrays else "nearest"), place.relation("vectors")
    search = statement("search").format(
        nearest=near.format(vectors=vectors, is_table=False),
        nearest_tables=near.format(vectors=vectors, is_table=True),
        collection_id=sql.Literal(place.collection_id),
        **{
            name: place.relation(name)
            for name in ("wordings", "lexemes", "value_texts", "value_places")
        },
    )
    return search.as_bytes(None)


def parameters(
    query: Query, limit: int, excluded: Sequence[int], nearest: Sequence[Near]
) -> dict[str, Any]:
    """The parameters of the statement; those that it does not ask for stay here."""
    return {
        "vector": query.vector,
        "near": f"{{{','.join(map(str, nearest[0][0].tolist()))}}}" if nearest else "",
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
