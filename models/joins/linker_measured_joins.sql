{{ config(materialized='measure_joins') }}
-- The candidates of which nothing is known in the present state of their tables.
-- depends_on: {{ ref('linker_declared_columns') }}

with final as (
    select candidates.*
    from {{ ref('linker_join_candidates') }} as candidates
    where not exists (
        select 1
        from {{ ref('linker_join_measures') }} as measures
        where {{ linker.same_join('measures', 'candidates') }}
    )
)

select
    from_database,
    from_schema,
    from_table,
    from_columns,
    from_kinds,
    from_members,
    from_fingerprint,
    from_discovered,
    to_database,
    to_schema,
    to_table,
    to_columns,
    to_kinds,
    to_members,
    to_fingerprint
from final
