{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#- The dots between the steps of a path inside a column: quoted steps and all other characters are removed. -#}
{%- set rest_of_path = 'substr(discovered.column_path, length(declared.column_path) + 2)' -%}
{%- set dots = linker.regex_replace(linker.regex_replace(rest_of_path, '"[^"]*"', ''), '[^.]', '') -%}
-- L0: columns with nested paths, from the type or from sampled values only.
-- depends_on: {{ ref('linker_runs') }}

with declared as (
    select * from {{ ref('linker_declared_columns') }}
),

newest_scans as (
    {{ linker.newest_scans(ref('linker_scans'), ref('linker_attempts')) }}
),

discovered as (
    select
        scans.database_name,
        scans.schema_name,
        scans.table_name as logical_name,
        scans.column_path,
        scans.seen_in,
        scans.value_kind
    from {{ ref('linker_scans') }} as scans
    inner join newest_scans on scans.attempt_id = newest_scans.attempt_id
    where scans.is_discovered
),

-- Objects whose keys are data have their values at the path `….*`.
maps as (
    select database_name, schema_name, logical_name, left(column_path, length(column_path) - 2) as column_path
    from discovered
    where right(column_path, 2) = '.*'
),

-- A path exists in those representative shards in which it was seen. It belongs to the longest column name that is
-- its prefix.
placed as (
    select
        declared.database_name,
        declared.schema_name,
        declared.table_name,
        declared.column_name,
        discovered.column_path,
        declared.depth + 1
        + length({{ dots }}) as depth,
        declared.position as parent_position,
        case when maps.column_path is null then upper(discovered.value_kind) else 'MAP' end as data_type,
        row_number() over (
            partition by declared.database_name, declared.schema_name, declared.table_name, discovered.column_path
            order by length(declared.column_path) desc
        ) as parent_place
    from discovered
    inner join ({{ linker.members_to_read(ref('linker_tables')) }}) as tables
        on
            discovered.database_name = tables.database_name
            and discovered.schema_name = tables.schema_name
            and discovered.logical_name = coalesce(tables.family_name, tables.table_name)
            and (
                discovered.seen_in is null
                or replace(discovered.seen_in, '"' || {{ linker.json_escaped('tables.table_name') }} || '"', '') <> discovered.seen_in
            )
    inner join declared
        on
            tables.database_name = declared.database_name
            and tables.schema_name = declared.schema_name
            and tables.table_name = declared.table_name
            and left(discovered.column_path, length(declared.column_path) + 1) = declared.column_path || '.'
    left join maps
        on
            discovered.database_name = maps.database_name
            and discovered.schema_name = maps.schema_name
            and discovered.logical_name = maps.logical_name
            and discovered.column_path = maps.column_path
),

all_levels as (
    select
        database_name, schema_name, table_name, column_name, column_path, depth, position as parent_position,
        data_type, false as is_discovered, is_nullable, description
    from declared

    union all

    select
        database_name, schema_name, table_name, column_name, column_path, depth, parent_position,
        data_type, true as is_discovered, true as is_nullable, cast(null as {{ dbt.type_string() }}) as description
    from placed
    where parent_place = 1
),

final as (
    select
        database_name,
        schema_name,
        table_name,
        column_name,
        column_path,
        cast(depth as bigint) as depth,
        cast(row_number() over (
            partition by database_name, schema_name, table_name
            order by parent_position, case when is_discovered then 1 else 0 end, column_path
        ) as bigint) as position,
        data_type,
        is_discovered,
        is_nullable,
        description
    from all_levels
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
    is_discovered,
    is_nullable,
    description
from final
{%- endif %}
