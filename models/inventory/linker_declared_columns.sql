{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
-- L0 from the catalogue: columns and the nested paths of their types.

with discovered as (
    {{- linker.in_scope('(' ~ linker.discover_columns() ~ ')') }}
),

unreadable as (
    {{ linker.unreadable_columns() }}
),

final as (
    select
        discovered.database_name,
        discovered.schema_name,
        discovered.table_name,
        discovered.column_name,
        discovered.column_path,
        cast(discovered.depth as bigint) as depth,
        cast(discovered.position as bigint) as position,
        discovered.data_type,
        discovered.is_nullable,
        unreadable.column_name is null as is_readable,
        {{ linker.clean_comment('discovered.description') }} as description
    from discovered
    left join unreadable
        on
            discovered.schema_name = unreadable.schema_name
            and discovered.table_name = unreadable.table_name
            and discovered.column_name = unreadable.column_name
)

select
    database_name,
    schema_name,
    table_name,
    column_name,
    column_path,
    depth,
    position,
    data_type,
    is_nullable,
    is_readable,
    description
from final
{%- endif %}
