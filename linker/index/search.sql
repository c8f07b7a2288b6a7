-- All searches of a question: nearest vectors, full text, and values by n-grams.
-- Vectors are scanned exactly. Excluded documents are removed from a larger result, since a lookup per document costs
-- more than comparing its vector.
-- Weights are those of values, table, description and name; a word in the name counts most.
-- Documents with the question's rarest words are ranked, up to 1,000.
-- A value in more than 30 columns says little: it counts only for columns found by another search.
with
near_columns as materialized (
    select document_key, embedding <=> %(vector)b::halfvec as distance
    from {column_vectors}
    order by distance
    limit %(limit)s::bigint + cardinality(%(excluded)s::bigint[])
),
near_tables as materialized (
    select document_key, embedding <=> %(vector)b::halfvec as distance
    from {table_vectors}
    order by distance
    limit %(limit)s::bigint + cardinality(%(excluded)s::bigint[])
),
near as materialized (
    (
        select document_key, false as is_table, 1 - distance as score from near_columns
        where document_key <> all(%(excluded)s::bigint[]) order by distance limit %(limit)s
    )
    union all
    (
        select document_key, true as is_table, 1 - distance as score from near_tables
        where document_key <> all(%(excluded)s::bigint[]) order by distance limit %(limit)s
    )
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
ranked as materialized (
    select document_key, is_table, score
    from {wordings}
    cross join lateral (select sum(rarity * ts_rank('{{0.25, 0.4, 0.5, 1.0}}', words, query)) as score from asked) as ranked
    where
        words @@ (
            select string_agg(query::text, ' | ')::tsquery from asked where ranked <= 1000 or place = 1
        ) and document_key <> all(%(excluded)s::bigint[])
),
lexical as materialized (
    (select * from ranked where not is_table order by score desc, document_key limit %(limit)s)
    union all
    (select * from ranked where is_table order by score desc, document_key limit %(limit)s)
),
brought_up as materialized (
    select array_agg(document_key) as keys
    from (select document_key from near where not is_table union all select document_key from lexical) as found
),
meant as materialized (
    select texts.value_key, counted.holders
    from {value_texts} as texts
    cross join lateral (
        select count(*) as holders
        from (select from {value_places} as p where p.value_key = texts.value_key limit 31) as few
    ) as counted
    where texts.grams && %(grams)b::integer[]
),
held as materialized (
    select places.document_key, meant.value_key, places.shown, meant.holders
    from meant
    cross join lateral (
        select document_key, shown from {value_places} as p where p.value_key = meant.value_key limit 30
    ) as places
    where meant.holders <= 30 and document_key <> all(%(excluded)s::bigint[])
    union all
    select places.document_key, meant.value_key, places.shown, meant.holders
    from meant
    cross join lateral (
        select p.document_key, p.shown
        from {value_places} as p
        where p.value_key = meant.value_key and p.document_key = any((select keys from brought_up)::bigint[])
        offset 0
    ) as places
    where meant.holders > 30
),
found as materialized (
    select array_agg(document_key) as keys
    from (
        select document_key from near
        union all
        select document_key from lexical
        union all
        select document_key from held
    ) as every
)
-- One row of arrays, since reading thousands of rows takes longer than the search.
select *
from (
    select array_agg(document_key), array_agg(table_key), array_agg(schema_name), array_agg(table_name), array_agg(column_path)
    from (
        select * from {documents} where document_key = any((select keys from found)::bigint[]) order by document_key
    ) as in_order
) as document_arrays
cross join (
    select
        array_agg(document_key) filter (where not is_table), array_agg(score) filter (where not is_table),
        array_agg(document_key) filter (where is_table), array_agg(score) filter (where is_table)
    from near
) as near_arrays
cross join (
    select
        array_agg(document_key) filter (where not is_table), array_agg(score) filter (where not is_table),
        array_agg(document_key) filter (where is_table), array_agg(score) filter (where is_table)
    from lexical
) as lexical_arrays
cross join (
    select array_agg(document_key), array_agg(shown), array_agg(holders)
    from (select * from held order by document_key, value_key) as in_order
) as held_arrays
