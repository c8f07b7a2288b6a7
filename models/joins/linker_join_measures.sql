{{ config(materialized='journal') }}
-- Journal of measured column pairs. This select defines its columns; the hook before linker_joins adds rows.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
