-- Everything that answers a question: neighbours of its vector, words by full text, values by n-grams.
-- The weights are those of values, table, description and name: a word of the name says most.
-- Ranked are the documents with the rarest words of the question, until there are 1,000.
-- A value that more than 30 columns hold says little: it counts only for columns that something else brings up.
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
    cross join lateral (select sum(rarity * ts_rank('{{0.25, 0.4, 0.5, 1.0}}', words, query)) as score from asked) as ranked
    where
        words @@ (
            select string_agg(query::text, ' | ')::tsquery from asked where ranked <= 1000 or place = 1
        ) and document_key <> all(%(excluded)s::bigint[])
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
        from (select from {value_places} as p where p.value_key = texts.value_key limit 31) as few
    ) as counted
    where texts.grams && %(grams)b::integer[]
),
held as (
    select places.document_key, meant.value_key, places.shown, meant.holders
    from meant
    cross join lateral (
        select document_key, shown from {value_places} as p where p.value_key = meant.value_key limit 30
    ) as places
    where meant.holders <= 30
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
)
-- One row of arrays, and of numbers their bytes: thousands of rows would take longer to read than to find.
select *
from (select version from linker.collections where collection_id = {collection_id}) as searched
cross join (select array_send(array_agg(document_key)), array_send(array_agg(score)) from near) as near_arrays
cross join (
    select array_send(array_agg(document_key)), array_send(array_agg(score)) from ({nearest_tables}) as near_tables
) as table_arrays
cross join (
    select array_send(array_agg(document_key)), array_send(array_agg(score)) from lexical_best
) as lexical_arrays
cross join (
    select array_send(array_agg(document_key)), array_agg(shown), array_send(array_agg(holders))
    from (select document_key, shown, holders from held where document_key <> all(%(excluded)s::bigint[]) order by document_key, value_key) as in_order
) as held_arrays
