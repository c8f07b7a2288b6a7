-- What lies nearest to a vector, among what lies near by its code. How far that may be is read from a sample, the first
-- sixteenth of the rows: so no code that is farther is ever sorted or leaves its row.
select document_key, 1 - (embedding <=> %(vector)b::vector) as score
from {vectors}
where
    document_key = any(array(
        with asked as materialized (select linker.code_of(%(vector)b::vector) as code),
        extent as materialized (
            select 1 + max(block) as blocks, greatest(max(block) / 16, 64) as sampled
            from {codes} where is_table = {is_table}
        ),
        radius as materialized (
            select distance
            from (
                select unnest(array[{distances}]) as distance
                from {codes}
                where is_table = {is_table} and block < (select sampled from extent)
            ) as sample
            order by distance
            offset (select {candidates} * least(sampled, blocks) / blocks from extent)
            limit 1
        )
        select key
        from (
            select unnest(array[{keys}]) as key, unnest(array[{distances}]) as distance
            from {codes}
            where {kind} and least({distances}) <= (select distance from radius)
        ) as near_by_code
        where distance <= (select distance from radius)
    )) {scope}
order by embedding <=> %(vector)b::vector
limit %(limit)s
