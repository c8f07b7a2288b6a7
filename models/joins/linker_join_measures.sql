{{ config(materialized='journal') }}
-- The journal of what was measured of pairs of columns. This select is its shape; linker_measured_joins fills it.

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
