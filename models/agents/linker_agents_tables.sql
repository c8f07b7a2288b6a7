-- Logical tables for agents, in the schema AGENTS.

with logical_tables as (
    select
        database_name,
        schema_name,
        coalesce(family_name, table_name) as logical_name,
        max(case when is_representative then table_kind end) as table_kind,
        max(case when is_representative then description end) as description,
        max(case when is_representative then column_count end) as column_count,
        max(case when is_representative then table_name end) as representative,
        count(*) as member_count,
        sum(row_count_estimate) as row_count_estimate
    from {{ ref('linker_tables') }}
    group by database_name, schema_name, coalesce(family_name, table_name)
),

scanned as (
    select database_name, schema_name, table_name, max(row_count) as row_count, max(scanned_at) as scanned_at
    from {{ ref('linker_profile_l3') }}
    group by database_name, schema_name, table_name
),

final as (
    select
        logical_tables.*,
        scanned.row_count as scanned_row_count,
        scanned.scanned_at
    from logical_tables
    left join scanned
        on
            logical_tables.database_name = scanned.database_name
            and logical_tables.schema_name = scanned.schema_name
            and logical_tables.logical_name = scanned.table_name
)

select
    database_name,
    schema_name,
    logical_name as table_name,
    table_kind,
    description,
    cast(column_count as bigint) as column_count,
    cast(row_count_estimate as bigint) as row_count_estimate,
    cast(scanned_row_count as bigint) as scanned_row_count,
    representative,
    cast(member_count as bigint) as member_count,
    scanned_at
from final
