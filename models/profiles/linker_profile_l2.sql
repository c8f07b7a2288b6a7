{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#- Whether only some members of a family of partitions were read. -#}
{%- set is_read_in_some -%}
    coalesce(scanned_families.kind = 'partitions' and columns.member_count > {{ var('family_members', 3) }}, 1 = 0)
{%- endset -%}
-- L2: semantics of each column: description and values.
-- depends_on: {{ ref('linker_runs') }}

with columns as (
    {{ linker.logical_columns() }}
),

scans as (
    {{ linker.newest_column_scans(ref('linker_scans'), ref('linker_attempts')) }}
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

documented as (
    {{ linker.project_descriptions(of_columns=true) }}
),

final as (
    select
        columns.database_name,
        columns.schema_name,
        columns.logical_name as table_name,
        columns.column_path,
        coalesce(columns.description, documented.description) as description,
        case
            when columns.description is not null then 'warehouse'
            when documented.description is not null then 'dbt'
        end as description_origin,
        scans.top_values as representative_values,
        case
            when scans.row_count > 0 then 1 - cast(scans.value_count as {{ linker.dialect().double_type }}) / scans.row_count
        end as null_ratio,
        scans.distinct_count,
        scans.distinct_is_exact and not {{ is_read_in_some }} as distinct_is_exact,
        scans.patterns,
        scans.min_length,
        scans.max_length,
        scans.privacy,
        scans.personal_data,
        scans.is_sampled or {{ is_read_in_some }} as is_sampled,
        scans.scanned_at
    from columns
    left join scans
        on
            columns.database_name = scans.database_name
            and columns.schema_name = scans.schema_name
            and columns.logical_name = scans.table_name
            and columns.column_path = scans.column_path
    left join scanned_families on scans.attempt_id = scanned_families.attempt_id
    left join documented
        on
            lower(columns.schema_name) = documented.schema_name
            and lower(columns.physical_name) = documented.table_name
            and lower(columns.column_path) = documented.column_path
)

select
    database_name,
    schema_name,
    table_name,
    column_path,
    description,
    description_origin,
    representative_values,
    null_ratio,
    distinct_count,
    distinct_is_exact,
    patterns,
    min_length,
    max_length,
    privacy,
    personal_data,
    is_sampled,
    scanned_at
from final
{%- endif %}
