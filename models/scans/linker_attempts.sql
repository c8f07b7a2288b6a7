{{ config(materialized='journal', full_refresh=false) }}
-- Journal of planned, started, finished and failed scans. This select defines its columns; hooks add rows. A full
-- refresh keeps it, since it is the run history.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
