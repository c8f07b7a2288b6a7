{{ config(materialized='journal') }}
-- What tells whether a table changed since its scan. This select is its shape; the hook before `linker_plan` fills it.

with final as (
    {{ linker.no_rows(model) }}
)

select
    {{ model.columns.values() | map(attribute='name') | join(',\n    ') }}
from final
