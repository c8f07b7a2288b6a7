-- Shards of logical tables for agents, in the schema AGENTS.

with final as (
    select * from {{ ref('linker_families') }}
)

select
    database_name,
    schema_name,
    group_name,
    kind,
    key_kind,
    first_key,
    last_key,
    member_count,
    members,
    representative,
    members_read,
    row_count
from final
