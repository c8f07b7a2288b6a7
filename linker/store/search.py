"""
The statements that search: enter the place of a collection, a query and exclusions, leave SQL with its parameters.

Everything that a question needs is one statement: neighbours of its vector, words by full text, values by n-grams.
Names and texts travel as parameters; only numbers of our own stand in the text.
"""

from collections.abc import Sequence

from psycopg import sql

from linker.store.base import Query
from linker.store.nearest import CodesOfKinds, Search, near
from linker.store.places import Place, statement

# The weights of values, table, description and name: a word of the name says most.
_WEIGHTS = "{0.25, 0.4, 0.5, 1.0}"
# Documents that are ranked by their words: those with the rarest words of the question, until there are that many.
_MOST_RANKED = 1_000
# A value that more columns hold says little: it counts only for columns that something else brings up.
_MOST_HOLDERS = 30


def hybrid(place: Place, query: Query, limit: int, excluded: Sequence[int], codes: CodesOfKinds) -> Search:
    """The statement for everything that answers a question, but the tables nearest to it; its row is of arrays."""
    relations = {name: place.relation(name) for name in ("wordings", "lexemes", "value_texts", "value_places")}
    nearest, values = near(place, query.vector, limit, excluded, codes, of_tables=False)
    search = statement("search").format(
        nearest=nearest,
        collection_id=sql.Literal(place.collection_id),
        most_ranked=sql.Literal(_MOST_RANKED),
        most_holders=sql.Literal(_MOST_HOLDERS),
        **relations,
    )
    values |= {
        "words": list(query.words),
        "queries": [quoted(word) for word in query.words],
        "weights": _WEIGHTS,
        "grams": list(query.grams),
    }
    return search, values


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
