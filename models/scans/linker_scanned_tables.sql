{{ config(materialized='scan') }}
-- The tables that are due, in the order of the plan: the materialization scans them, table by table, into linker_scans.
-- It leaves no relation of its own.
-- depends_on: {{ ref('linker_scans') }}
-- depends_on: {{ ref('linker_attempts') }}
-- depends_on: {{ ref('linker_declared_columns') }}
-- depends_on: {{ ref('linker_tables') }}

with final as (
    select *
    from {{ ref('linker_plan') }}
    where is_due
)

select
    database_name,
    schema_name,
    table_name,
    table_kind,
    members,
    fingerprint,
    row_count,
    byte_count,
    state,
    place
from final
