-- A view, so that each query asks the catalogue anew. Beside the artifacts, where the inventory does not see it.
{{ config(materialized='view', schema='linker', enabled=target.type in ['postgres', 'snowflake']) }}
with changes as (
    {{ linker.discover_changes([]) }}
)

select schema_name, table_name, row_count, byte_count, change_token
from changes
