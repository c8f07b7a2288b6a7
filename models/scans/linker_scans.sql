{{ config(materialized='journal') }}
-- Journal of scan results. This select defines its columns; hooks fill it table by table.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
