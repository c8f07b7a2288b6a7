-- Joins for agents, in the schema AGENTS.

with final as (
    select * from {{ ref('linker_joins') }}
)

select
    from_database,
    from_schema,
    from_table,
    from_columns,
    to_database,
    to_schema,
    to_table,
    to_columns,
    origin,
    cardinality,
    containment,
    fan_out,
    confidence,
    evidence
from final
