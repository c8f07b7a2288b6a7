-- Joins, declared by a test and inferred.
with found as (
    select from_table, from_columns, to_table, to_columns, origin from {{ ref('linker_joins') }}
),

expected as (
    select from_table, from_columns, to_table, to_columns, origin from {{ ref('expected_joins') }}
)

{{ differing_rows('found', 'expected') }}
