-- A view, so that each query reads the catalogue again; beside the profile tables, which the inventory ignores.
{{ config(materialized='view', schema='linker', enabled=target.type in ['postgres', 'snowflake']) }}
with changes as (
    {{ linker.discover_changes([]) }}
)

select schema_name, table_name, row_count, byte_count, change_token
from changes
