-- Columns of logical tables for agents, in the schema AGENTS; values only if visible.

with final as (
    select
        l1.database_name,
        l1.schema_name,
        l1.table_name,
        l1.column_path,
        l1.position,
        l1.data_type,
        l1.category,
        l1.is_nullable,
        l1.is_unique,
        l1.primary_key_origin,
        l1.foreign_key_origin,
        l2.description,
        l2.null_ratio,
        l2.distinct_count,
        case when l2.privacy = 'show' then l2.representative_values end as representative_values,
        case when l2.privacy in ('show', 'mask') then l2.patterns end as patterns,
        case when l2.privacy = 'show' then l3.min_value end as min_value,
        case when l2.privacy = 'show' then l3.max_value end as max_value,
        coalesce(l2.privacy, 'mask') as privacy,
        l2.personal_data,
        l2.is_sampled,
        l2.scanned_at
    from {{ ref('linker_profile_l1') }} as l1
    inner join {{ ref('linker_profile_l2') }} as l2
        on
            l1.database_name = l2.database_name
            and l1.schema_name = l2.schema_name
            and l1.table_name = l2.table_name
            and l1.column_path = l2.column_path
    left join {{ ref('linker_profile_l3') }} as l3
        on
            l1.database_name = l3.database_name
            and l1.schema_name = l3.schema_name
            and l1.table_name = l3.table_name
            and l1.column_path = l3.column_path
)

select
    database_name,
    schema_name,
    table_name,
    column_path,
    position,
    data_type,
    category,
    is_nullable,
    is_unique,
    primary_key_origin,
    foreign_key_origin,
    description,
    null_ratio,
    distinct_count,
    representative_values,
    patterns,
    min_value,
    max_value,
    privacy,
    personal_data,
    is_sampled,
    scanned_at
from final
