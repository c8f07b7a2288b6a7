{{ config(materialized='measure_joins') }}
-- The candidates of which nothing is known in the present state of their tables, and how often they were tried; of views
-- that name what is gone none.
-- depends_on: {{ ref('linker_declared_columns') }}

with known as (
    select
        {{ linker.join_measure_columns()[:10] | join(',\n        ') }},
        count(*) as tries,
        count(sampled_values) as measures
    from {{ ref('linker_join_measures') }}
    group by {{ linker.join_measure_columns()[:10] | join(', ') }}
),

broken as (
    {{ linker.broken_views() }}
),

final as (
    select
        candidates.*,
        coalesce(known.tries, 0) as tries
    from {{ ref('linker_join_candidates') }} as candidates
    left join known on {{ linker.same_join('known', 'candidates') }}
    left join broken as broken_from
        on candidates.from_schema = broken_from.schema_name and candidates.from_table = broken_from.table_name
    left join broken as broken_to
        on candidates.to_schema = broken_to.schema_name and candidates.to_table = broken_to.table_name
    where coalesce(known.measures, 0) = 0 and broken_from.table_name is null and broken_to.table_name is null
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
    from_value_count,
    to_database,
    to_schema,
    to_table,
    to_columns,
    to_kinds,
    to_members,
    to_fingerprint,
    to_value_count,
    tries
from final
