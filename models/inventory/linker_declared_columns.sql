{#- Nothing that a run reads of the catalogue is read before this. -#}
{%- do linker.watch('catalogue', [linker.watched_catalogue()]) -%}
-- L0 as the catalogue tells it: the columns, and the paths that their types tell.

with discovered as (
    {{- linker.in_scope('(' ~ linker.discover_columns() ~ ')') }}
),

final as (
    select
        database_name,
        schema_name,
        table_name,
        column_name,
        column_path,
        cast(depth as bigint) as depth,
        cast(position as bigint) as position,
        data_type,
        is_nullable,
        {{ linker.clean_comment('description') }} as description
    from discovered
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
    description
from final
