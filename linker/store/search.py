"""
The statements that search: enter the place of a collection, a query and a scope, leave SQL with its parameters.

Everything that a question needs is one statement: dense neighbours by HNSW, words by full text, values by n-grams.
Names and texts travel as parameters; only numbers of our own stand in the text.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from psycopg import sql

from linker.embedders.base import Vectors
from linker.store.base import Found, HeldValue, Query, Scope
from linker.store.keys import key_of
from linker.types import ColumnRef, TableRef

# The weights of values, table, description and name: a word of the name says most.
_WEIGHTS = "{0.25, 0.4, 0.5, 1.0}"
# Documents that are ranked by their words: those with the rarest words of the question, until there are that many.
_MOST_RANKED = 1_000
_RANKINGS = ("dense", "lexical", "dense_tables", "lexical_tables")
# A value that more columns hold says little: it counts only for columns that something else brings up.
_MOST_HOLDERS = 30


@dataclass(frozen=True, slots=True)
class Place:
    """Where a collection lies, and whether its vectors are indexed."""

    collection_id: int
    dimension: int
    is_indexed: bool = False

    def relation(self, name: str) -> sql.Identifier:
        """Its own partition of a table."""
        return sql.Identifier("linker", f"{name}_{self.collection_id}")


_NEAREST = """
    select document_key, 1 - (embedding <=> %(vector)b::vector) as score
    from (
        select document_key, embedding
        from {vectors}
        where {kind} {scope}
        order by {distance}
        limit %(limit)s
    ) as nearest
"""

# The index holds halves of the precision; the order among what it finds is that of the whole vectors.
# Without it all are compared, which takes half the time if none is converted.
_INDEXED_DISTANCE = "embedding::halfvec({dimension}) <=> %(vector)b::halfvec({dimension})"
_DISTANCE = "embedding <=> %(vector)b::vector"

_NEAREST_NAMED = """
with near as materialized ({nearest})
select schema_name, table_name, column_path, document_key, score
from near inner join {documents} as documents using (document_key)
order by score desc, document_key
"""

_SEARCH = """
with
near as materialized ({nearest}),
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
lexical as materialized (
    select document_key, is_table, score
    from {wordings}
    cross join lateral (select sum(rarity * ts_rank(%(weights)s, words, query)) as score from asked) as ranked
    where
        words @@ (
            select string_agg(query::text, ' | ')::tsquery from asked where ranked <= {most_ranked} or place = 1
        ) {scope}
),
lexical_best as materialized (
    (select document_key, score from lexical where not is_table order by score desc, document_key limit %(limit)s)
    union all
    (select document_key, score from lexical where is_table order by score desc, document_key limit %(limit)s)
),
brought_up as materialized (
    select array_agg(document_key) as keys
    from (select document_key from near union all select document_key from lexical_best) as found
),
meant as materialized (
    select texts.value_key, counted.holders
    from {value_texts} as texts
    cross join lateral (
        select count(*) as holders
        from (select from {value_places} as p where p.value_key = texts.value_key limit {most_holders} + 1) as few
    ) as counted
    where texts.grams && %(grams)b::integer[]
),
held as (
    select places.document_key, places.shown, meant.holders
    from meant
    cross join lateral (
        select document_key, shown from {value_places} as p where p.value_key = meant.value_key limit {most_holders}
    ) as places
    where meant.holders <= {most_holders}
    union all
    select places.document_key, places.shown, meant.holders
    from meant
    cross join lateral (
        select p.document_key, p.shown
        from {value_places} as p
        where p.value_key = meant.value_key and p.document_key = any((select keys from brought_up)::bigint[])
        offset 0
    ) as places
    where meant.holders > {most_holders}
),
found as (
    select
        document_key, max(dense) as dense, max(lexical) as lexical,
        array_agg(shown) filter (where shown is not null) as shown,
        array_agg(holders) filter (where shown is not null) as holders
    from (
        select document_key, score as dense, null::float8 as lexical, null as shown, null::bigint as holders from near
        union all
        select document_key, null, score, null, null from lexical_best
        union all
        select document_key, null, null, shown, holders from held
    ) as ways
    group by document_key
)
select schema_name, table_name, column_path, found.*
from found
inner join {documents} as documents using (document_key)
where true {scope}
"""

_IN_SCOPE = sql.SQL("and document_key <> all(%(excluded)s::bigint[])")
_IN_TABLES = sql.SQL("and table_key = any(%(tables)s::bigint[])")


def nearest(
    place: Place, vector: Vectors, limit: int, scope: Scope, *, of_tables: bool = False
) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for the columns or tables nearest to a vector."""
    statement = sql.SQL(_NEAREST_NAMED).format(
        nearest=_nearest(place, scope, of_tables=of_tables), documents=place.relation("documents")
    )
    return statement, {"vector": vector, "limit": limit, **_scope_values(scope)}


def hybrid(place: Place, query: Query, limit: int, scope: Scope) -> tuple[sql.Composed, dict[str, Any]]:
    """The statement for everything that answers a question, but the tables nearest to it."""
    relations = {
        name: place.relation(name) for name in ("documents", "wordings", "lexemes", "value_texts", "value_places")
    }
    statement = sql.SQL(_SEARCH).format(
        nearest=_nearest(place, scope, of_tables=False),
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


def read_found(rows: Sequence[tuple[Any, ...]], tables_near: Sequence[tuple[Any, ...]]) -> Found:
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
    return Found(tuple(columns), tuple(refs), tuple(table_of), values=values, **_best_first(ranked))


def _best_first(ranked: Mapping[str, list[tuple[float, int]]]) -> dict[str, Any]:
    """The best first; equal ones by their key, so that the same question has the same answer."""
    for found in ranked.values():
        found.sort()
    return {name: tuple((number, -score) for score, number in found) for name, found in ranked.items()}


def quoted(lexeme: str) -> str:
    """A word as the texts of tsvector and tsquery have it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def _nearest(place: Place, scope: Scope, *, of_tables: bool) -> sql.Composed:
    return sql.SQL(_NEAREST).format(
        vectors=place.relation("vectors"),
        kind=sql.SQL("is_table" if of_tables else "not is_table"),
        scope=_scope(scope),
        distance=sql.SQL(_INDEXED_DISTANCE if place.is_indexed else _DISTANCE).format(
            dimension=sql.Literal(place.dimension)
        ),
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
