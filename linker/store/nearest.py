"""
The search for what lies nearest to a vector: enter a place, a depth and a scope, leaves SQL with its parameters.

Two ways, by the size of the collection: all vectors are compared, or all codes and the vectors of what lies near by its
code.
"""

from typing import Any

from psycopg import sql

from linker.embedders.base import Vectors
from linker.store.base import SearchScope
from linker.store.places import Place, key_of, statement

_CODES_IN_ROW = 8
# Of the 200 nearest of real documents 99 % lie among the 2,400 nearest by code, of those behind among 3,600.
_LEAST_CANDIDATES, _CANDIDATES_PER_RESULT = 1_200, 6
# A table is found by its columns as well.
_LEAST_CANDIDATE_TABLES, _CANDIDATES_PER_TABLE = 100, 2
# With more candidates than this share of all, their vectors are read about as fast one after another.
_MOST_CANDIDATES_OF_ALL = 0.25

_ARRAYS = "select array_send(array_agg(document_key)), array_send(array_agg(score)) from ({nearest}) as near"

_IN_SCOPE = sql.SQL("and document_key <> all(%(excluded)s::bigint[])")
_IN_TABLES = sql.SQL("and table_key = any(%(tables)s::bigint[])")


def nearest_tables(
    place: Place, vector: Vectors, limit: int, scope: SearchScope
) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for the tables nearest to a vector."""
    search = sql.SQL(_ARRAYS).format(nearest=near(place, limit, scope, of_tables=True))
    return search, {"vector": vector, "limit": limit, **scope_values(scope)}


def near(place: Place, limit: int, scope: SearchScope, *, of_tables: bool) -> sql.Composed:
    """A query for the keys and scores of what lies nearest to `vector`, up to `limit`."""
    candidates = _candidates(limit + len(scope.excluded), of_tables=of_tables)
    # The vectors of some tables are found by the tables.
    by_codes = place.is_coded and scope.tables is None
    if by_codes and candidates <= _MOST_CANDIDATES_OF_ALL * place.document_count:
        return _near_by_codes(place, candidates, scope, of_tables=of_tables)
    return statement("nearest").format(
        vectors=place.relation("vectors"),
        kind=_kind(of_tables=of_tables),
        scope=in_scope(scope),
    )


def in_scope(scope: SearchScope) -> sql.Composable:
    """Conditions on a document's keys."""
    conditions = [_IN_SCOPE] if scope.excluded else []
    return sql.SQL(" ").join([*conditions, *([_IN_TABLES] if scope.tables is not None else [])])


def scope_values(scope: SearchScope) -> dict[str, list[int]]:
    """The parameters of these conditions."""
    values = {}
    if scope.excluded:
        values["excluded"] = [key_of(ref) for ref in scope.excluded]
    if scope.tables is not None:
        values["tables"] = [key_of(ref) for ref in scope.tables]
    return values


def _near_by_codes(place: Place, candidates: int, scope: SearchScope, *, of_tables: bool) -> sql.Composed:
    keys = [sql.SQL(f"key_{number}") for number in range(_CODES_IN_ROW)]
    to_question = sql.SQL(" <~> (select code from asked)::bit varying")
    distances = [sql.SQL(f"code_{number}") + to_question for number in range(_CODES_IN_ROW)]
    return statement("nearest_by_codes").format(
        vectors=place.relation("vectors"),
        codes=place.relation("codes"),
        kind=_kind(of_tables=of_tables),
        is_table=sql.Literal(of_tables),
        keys=sql.SQL(", ").join(keys),
        distances=sql.SQL(", ").join(distances),
        candidates=sql.Literal(candidates),
        scope=in_scope(scope),
    )


def _kind(*, of_tables: bool) -> sql.SQL:
    return sql.SQL("is_table" if of_tables else "not is_table")


def _candidates(depth: int, *, of_tables: bool) -> int:
    if of_tables:
        return _LEAST_CANDIDATE_TABLES + _CANDIDATES_PER_TABLE * depth
    return _LEAST_CANDIDATES + _CANDIDATES_PER_RESULT * depth
