"""
The search for what lies nearest to a vector: enter a place, a depth and exclusions, leaves SQL with its parameters.

Two ways, by the size of the collection: all vectors are compared, or those of what lies near by its code.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import sql

from linker.embedders.base import Vectors
from linker.store.codes import Codes
from linker.store.places import Place, statement

# So many that lie near by their codes are compared by their vectors, at least and for each result: of columns, and of
# tables, which are found by their columns as well.
_COMPARED = {False: (400, 3), True: (100, 2)}
# Of more than this share of all, the vectors are read about as fast one after another.
_MOST_COMPARED_OF_ALL = 0.25

_ARRAYS = "select array_send(array_agg(document_key)), array_send(array_agg(score)) from ({nearest}) as near"

# A statement with its parameters.
Search = tuple[sql.Composed, dict[str, Any]]
# The codes of columns and of tables.
CodesOfKinds = Mapping[bool, Codes]


def nearest_tables(place: Place, vector: Vectors, limit: int, excluded: Sequence[int], codes: CodesOfKinds) -> Search:
    """The statement for the tables nearest to a vector."""
    nearest, values = near(place, vector, limit, excluded, codes, of_tables=True)
    return sql.SQL(_ARRAYS).format(nearest=nearest), values


def near(
    place: Place, vector: Vectors, limit: int, excluded: Sequence[int], codes: CodesOfKinds, *, of_tables: bool
) -> Search:
    """A query for the keys and scores of what lies nearest to a vector."""
    among = sql.SQL("is_table" if of_tables else "not is_table")
    values = {"vector": vector, "limit": limit, "excluded": excluded}
    least, of_each = _COMPARED[of_tables]
    compared = least + of_each * (limit + 2 * len(excluded))
    if of_tables in codes and compared <= _MOST_COMPARED_OF_ALL * place.document_count:
        values["near"] = f"{{{','.join(map(str, codes[of_tables].nearest(vector, compared)))}}}"
        among = sql.SQL("document_key = any(%(near)s::bigint[])")
    return statement("nearest").format(vectors=place.relation("vectors"), among=among), values
