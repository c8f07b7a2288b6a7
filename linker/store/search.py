"""
The statements that search: enter the place of a collection, a query and a scope, leave SQL with its parameters.

Everything that a question needs is one statement: dense neighbours by HNSW, words by full text, values by n-grams.
Names and texts travel as parameters; only numbers of our own stand in the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from linker.embedders.base import Vectors
from linker.store.base import Found, HeldValue, Query, Scope
from linker.store.keys import key_of, ref_of
from linker.types import ColumnRef, Ref, TableRef

# The weights of values, table, description and name: a word of the name says most.
_WEIGHTS = "{0.25, 0.4, 0.5, 1.0}"
# Documents that are ranked by their words: those with the rarest words of the question, until there are that many.
_MOST_RANKED = 1_000
# A value that more columns hold says little: it counts only for columns that something else brings up.
_MOST_HOLDERS = 30


@dataclass(frozen=True, slots=True)
class Place:
    """Where a collection lies."""

    collection_id: int
    dimension: int

    def relation(self, name: str) -> sql.Identifier:
        """Its own partition of a table."""
        return sql.Identifier("linker", f"{name}_{self.collection_id}")


_NEAREST = """
    select document_key, embedding
    from {documents}
    where {kind} {scope}
    order by embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension})
    limit %(limit)s
"""

# The index holds halves of the precision; the order among what it finds is that of the whole vectors.
_NEAREST_COLUMNS = """
with near as materialized ({nearest})
select schema_name, table_name, column_path, 1 - (near.embedding <=> %(vector)s::vector) as score
from near inner join {documents} as documents using (document_key)
order by score desc, document_key
"""

_SEARCH = """
with
near as materialized ({nearest}),
near_tables as materialized ({nearest_tables}),
dense as (
    select document_key, 1 - (embedding <=> %(vector)s::vector) as score from near
    union all
    select document_key, 1 - (embedding <=> %(vector)s::vector) as score from near_tables
),
asked as materialized (
    select
        asked.query,
        ln(1 + (select 1 + document_count from linker.collections where collection_id = {collection_id})
            / coalesce(lexemes.document_count, 1)::float8) as rarity,
        sum(coalesce(lexemes.document_count, 0)) over (order by coalesce(lexemes.document_count, 0), asked.lexeme)
            as ranked,
        row_number() over (order by coalesce(lexemes.document_count, 0) = 0, lexemes.document_count, asked.lexeme)
            as place
    from (
        select lexeme, query::tsquery as query from unnest(%(words)s::text[], %(queries)s::text[]) as w (lexeme, query)
    ) as asked
    left join {lexemes} as lexemes using (lexeme)
),
worded as materialized (
    select document_key, column_path is null as is_table, words
    from {documents}
    where
        words @@ (
            select string_agg(query::text, ' | ')::tsquery from asked where ranked <= {most_ranked} or place = 1
        ) {scope}
),
lexical as materialized (
    select
        worded.document_key, worded.is_table,
        sum(asked.rarity * ts_rank(%(weights)s, worded.words, asked.query)) as score
    from worded cross join asked
    group by worded.document_key, worded.is_table
),
lexical_best as materialized (
    (select document_key, score from lexical where not is_table order by score desc, document_key limit %(limit)s)
    union all
    (select document_key, score from lexical where is_table order by score desc, document_key limit %(limit)s)
),
meant as materialized (select reading from {value_texts} where grams && %(grams)s::integer[]),
held as (
    select places.document_key, places.shown, counted.holders
    from meant
    cross join lateral (
        select count(*) as holders
        from (select from {value_places} as p where p.reading = meant.reading limit {most_holders} + 1) as few
    ) as counted
    inner join {value_places} as places on places.reading = meant.reading
    where
        counted.holders <= {most_holders}
        or places.document_key in (select document_key from near union all select document_key from lexical_best)
),
final as (
    select 'dense' as way, document_key, score, null as shown from dense
    union all
    select 'lexical', document_key, score, null from lexical_best
    union all
    select 'value', document_key, holders, shown from held
)
select final.way, documents.schema_name, documents.table_name, documents.column_path, final.score, final.shown
from final
inner join {documents} as documents using (document_key)
where true {scope}
order by final.way, final.score desc, final.document_key, final.shown
"""

_IN_SCOPE = sql.SQL("and document_key <> all(%(excluded)s::bigint[])")
_IN_TABLES = sql.SQL("and table_key = any(%(tables)s::bigint[])")


def nearest_columns(
    place: Place, vector: Vectors, limit: int, excluded: Sequence[Ref]
) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for the columns nearest to a vector."""
    scope = Scope(excluded)
    statement = sql.SQL(_NEAREST_COLUMNS).format(
        nearest=_nearest(place, scope, of_tables=False), documents=place.relation("documents")
    )
    return statement, {"vector": vector, "limit": limit, **_scope_values(scope)}


def hybrid(place: Place, query: Query, limit: int, scope: Scope) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for everything that answers a question."""
    relations = {name: place.relation(name) for name in ("documents", "lexemes", "value_texts", "value_places")}
    statement = sql.SQL(_SEARCH).format(
        nearest=_nearest(place, scope, of_tables=False),
        nearest_tables=_nearest(place, scope, of_tables=True),
        collection_id=sql.Literal(place.collection_id),
        scope=_scope(scope),
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
        **_scope_values(scope),
    }
    return statement, values


def read_found(rows: Sequence[tuple[Any, ...]]) -> Found:
    """The rows of `hybrid` by the way that found them."""
    columns: dict[str, list[tuple[ColumnRef, float]]] = {"dense": [], "lexical": []}
    tables: dict[str, list[tuple[TableRef, float]]] = {"dense": [], "lexical": []}
    values = []
    for way, schema, table, path, score, shown in rows:
        ref = ref_of(schema, table, path)
        if isinstance(ref, TableRef):
            tables[way].append((ref, float(score)))
        elif way == "value":
            values.append(HeldValue(ref, shown, int(score)))
        else:
            columns[way].append((ref, float(score)))
    return Found(
        dense=tuple(columns["dense"]),
        lexical=tuple(columns["lexical"]),
        values=tuple(values),
        dense_tables=tuple(tables["dense"]),
        lexical_tables=tuple(tables["lexical"]),
    )


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def _nearest(place: Place, scope: Scope, *, of_tables: bool) -> sql.Composed:
    return sql.SQL(_NEAREST).format(
        documents=place.relation("documents"),
        kind=sql.SQL("column_path is null" if of_tables else "column_path is not null"),
        scope=_scope(scope),
        dimension=sql.Literal(place.dimension),
    )


def _scope(scope: Scope) -> sql.Composable:
    conditions = [_IN_SCOPE] if scope.excluded else []
    return sql.SQL(" ").join([*conditions, *([_IN_TABLES] if scope.tables is not None else [])])


def _scope_values(scope: Scope) -> dict[str, list[int]]:
    values = {}
    if scope.excluded:
        values["excluded"] = [key_of(ref) for ref in scope.excluded]
    if scope.tables is not None:
        values["tables"] = [key_of(ref) for ref in scope.tables]
    return values
