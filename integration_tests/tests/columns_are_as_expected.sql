-- Profiles of the expected columns, over all levels.
with found as (
    select
        l1.table_name,
        l1.column_path,
        l3.row_count,
        l2.distinct_count,
        coalesce(l1.category, '') as category,
        l2.privacy,
        coalesce(l2.description, '') as description
    from {{ ref('linker_profile_l1') }} as l1
    inner join {{ ref('linker_profile_l2') }} as l2
        on l1.schema_name = l2.schema_name and l1.table_name = l2.table_name and l1.column_path = l2.column_path
    inner join {{ ref('linker_profile_l3') }} as l3
        on l1.schema_name = l3.schema_name and l1.table_name = l3.table_name and l1.column_path = l3.column_path
    inner join {{ ref('expected_columns') }} as wanted
        on l1.table_name = wanted.table_name and l1.column_path = wanted.column_path
),

expected as (
    select
        table_name, column_path, row_count, distinct_count, coalesce(category, '') as category, privacy,
        coalesce(description, '') as description
    from {{ ref('expected_columns') }}
)

{{ differing_rows('found', 'expected') }}
