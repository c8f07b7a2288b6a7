{{ config(materialized='measure_joins') }}
-- The candidates of which nothing is known in the present state of their tables, and how often they were tried.
-- depends_on: {{ ref('linker_declared_columns') }}

with known as (
    select
        {{ linker.join_measure_columns()[:10] | join(',\n        ') }},
        count(*) as tries,
        count(sampled_values) as measures
    from {{ ref('linker_join_measures') }}
    group by {{ linker.join_measure_columns()[:10] | join(', ') }}
),

final as (
    select
        candidates.*,
        coalesce(known.tries, 0) as tries
    from {{ ref('linker_join_candidates') }} as candidates
    left join known on {{ linker.same_join('known', 'candidates') }}
    where coalesce(known.measures, 0) = 0
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
