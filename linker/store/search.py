"""
The statements that search: enter the place of a collection, a query and a scope, leave SQL with its parameters.

Everything that a question needs is one statement: neighbours of its vector, words by full text, values by n-grams.
Names and texts travel as parameters; only numbers of our own stand in the text.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from psycopg import sql

from linker.store.base import HeldValue, Query, SearchResult, SearchScope
from linker.store.nearest import in_scope, near, scope_values
from linker.store.places import Place, statement
from linker.types import ColumnRef, TableRef

# The weights of values, table, description and name: a word of the name says most.
_WEIGHTS = "{0.25, 0.4, 0.5, 1.0}"
# Documents that are ranked by their words: those with the rarest words of the question, until there are that many.
_MOST_RANKED = 1_000
_RANKINGS = ("dense", "lexical", "dense_tables", "lexical_tables")
# A value that more columns hold says little: it counts only for columns that something else brings up.
_MOST_HOLDERS = 30


def hybrid(place: Place, query: Query, limit: int, scope: SearchScope) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for everything that answers a question, but the tables nearest to it."""
    relations = {
        name: place.relation(name) for name in ("documents", "wordings", "lexemes", "value_texts", "value_places")
    }
    search = statement("search").format(
        nearest=near(place, limit, scope, of_tables=False),
        collection_id=sql.Literal(place.collection_id),
        scope=in_scope(scope),
        most_ranked=sql.Literal(_MOST_RANKED),
        most_holders=sql.Literal(_MOST_HOLDERS),
        **relations,
    )
    values = {
        "vector": query.vector,
        "limit": limit,
        "words": list(query.words),
        "queries": [quoted(word) for word in query.words],
        "weights": _WEIGHTS,
        "grams": list(query.grams),
        **scope_values(scope),
    }
    return search, values


def read_found(rows: Sequence[tuple[Any, ...]], tables_near: Sequence[tuple[Any, ...]]) -> SearchResult:
    """The rows of `hybrid`, one a document, and those of the nearest tables, by the way that found them."""
    columns: list[ColumnRef] = []
    table_of: list[int] = []
    tables: dict[tuple[str, str], int] = {}
    ranked: dict[str, list[tuple[float, int]]] = {name: [] for name in _RANKINGS}
    held: dict[str, list[int]] = defaultdict(list)
    holders_of: dict[str, int] = {}
    refs: list[TableRef] = []
    all_rows = [*rows, *((*row, None, None, None) for row in tables_near)]
    for schema, name, path, _, dense, lexical, shown, holders in sorted(all_rows, key=itemgetter(3)):
        table = tables.setdefault((schema, name), len(refs))
        if table == len(refs):
            refs.append(TableRef(schema, name))
        if path is None:
            number, kind = table, "_tables"
        else:
            number, kind = len(columns), ""
            columns.append(ColumnRef(refs[table], path))
            table_of.append(table)
        if dense is not None:
            ranked["dense" + kind].append((-dense, number))
        if lexical is not None:
            ranked["lexical" + kind].append((-lexical, number))
        if shown is not None and path is not None:
            holders_of.update(zip(shown, holders, strict=True))
            for value in shown:
                held[value].append(number)
    values = tuple(HeldValue(value, tuple(numbers), holders_of[value]) for value, numbers in held.items())
    return SearchResult(tuple(columns), tuple(refs), tuple(table_of), values=values, **_best_first(ranked))


def _best_first(ranked: Mapping[str, list[tuple[float, int]]]) -> dict[str, Any]:
    """The best first; equal ones by their key, so that the same question has the same answer."""
    for found in ranked.values():
        found.sort()
    return {name: tuple((number, -score) for score, number in found) for name, found in ranked.items()}


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
