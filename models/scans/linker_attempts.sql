{{ config(materialized='journal', full_refresh=false) }}
-- The journal of what was planned, begun, finished and failed. This select is its shape; the lanes add rows.
-- A full refresh keeps it: it is the history of the runs.

with final as (
    select
        {%- for column in linker.contract_of(model) %}
        cast(null as {{ column.data_type }}) as {{ column.name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (select 1 as one) as nothing
    where 1 = 0
)

select
    {{ linker.contract_of(model) | map(attribute='name') | join(',\n    ') }}
from final
