{{ config(materialized='journal', full_refresh=false) }}
-- The journal of what was planned, begun, finished and failed. This select is its shape; the lanes add rows.
-- A full refresh keeps it: it is the history of the runs.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
