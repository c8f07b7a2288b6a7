{{ config(materialized='journal') }}
-- The journal of what scans measured. This select is its shape; the lanes fill it, table by table.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
