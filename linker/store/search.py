"""
The statements that search: enter the place of a collection, a query and a scope, leave SQL with its parameters.

Everything that a question needs is one statement: neighbours of its vector, words by full text, values by n-grams.
Names and texts travel as parameters; only numbers of our own stand in the text.
"""

from typing import Any

from psycopg import sql

from linker.store.base import Query, SearchScope
from linker.store.nearest import in_scope, near, scope_values
from linker.store.places import Place, statement

# The weights of values, table, description and name: a word of the name says most.
_WEIGHTS = "{0.25, 0.4, 0.5, 1.0}"
# Documents that are ranked by their words: those with the rarest words of the question, until there are that many.
_MOST_RANKED = 1_000
# A value that more columns hold says little: it counts only for columns that something else brings up.
_MOST_HOLDERS = 30


def hybrid(place: Place, query: Query, limit: int, scope: SearchScope) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for everything that answers a question, but the tables nearest to it; its row is of arrays."""
    relations = {name: place.relation(name) for name in ("wordings", "lexemes", "value_texts", "value_places")}
    conditions = in_scope(scope)
    held_in_scope = sql.SQL("inner join {documents} as documents using (document_key) where true {scope}").format(
        documents=place.relation("documents"), scope=conditions
    )
    search = statement("search").format(
        nearest=near(place, limit, scope, of_tables=False),
        collection_id=sql.Literal(place.collection_id),
        scope=conditions,
        held_in_scope=held_in_scope if scope.excluded or scope.tables is not None else sql.SQL(""),
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


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
