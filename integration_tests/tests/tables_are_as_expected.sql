-- The inventory: each table with its family.
with found as (
    select table_name, coalesce(family_name, '') as family_name, table_kind from {{ ref('linker_tables') }}
),

expected as (
    select table_name, coalesce(family_name, '') as family_name, table_kind from {{ ref('expected_tables') }}
)

{{ differing_rows('found', 'expected') }}
