{{ config(materialized='journal') }}
-- The journal of what was measured of pairs of columns. This select is its shape; linker_measured_joins fills it.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ linker.contract_of(model) | map(attribute='name') | join(',\n    ') }}
from final
