{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{#- One branch per data type: Jinja renders type names, the statement knows the scans. -#}
{%- set kinds_of_types = [] -%}
{%- if linker.can_ask() -%}
    {%- for data_type in run_query('select distinct data_type from ' ~ linker.artifact('linker_columns')).columns[0].values() -%}
        {%- do kinds_of_types.append('when ' ~ linker.literal(data_type) ~ ' then ' ~ linker.literal(linker.value_kind(data_type))) -%}
    {%- endfor -%}
{%- endif -%}
-- L1: structure of each column, from its type, its name and its newest scan.
-- depends_on: {{ ref('linker_runs') }}

with columns as (
    {{ linker.logical_columns() }}
),

scans as (
    {{ linker.newest_column_scans(ref('linker_scans'), ref('linker_attempts')) }}
),

measured as (
    select
        columns.*,
        scans.value_kind as scanned_kind,
        scans.personal_data,
        scans.privacy,
        scans.row_count,
        scans.value_count,
        scans.distinct_count,
        scans.distinct_is_exact,
        scans.max_length,
        scans.mean_length,
        scans.patterns,
        scans.top_values,
        {%- for name in ['min', 'max'] %}
        case
            when scans.value_kind in ('integer', 'number') then {{ linker.try_cast('scans.' ~ name ~ '_value', 'number') }}
        end as {{ name }}_number,
        {%- endfor %}
        case
            -- Without values nothing is known.
            when scans.value_count = 0 then null
            when scans.distinct_is_exact then scans.distinct_count = scans.value_count
            when scans.distinct_count < 0.85 * scans.value_count then 1 = 0
        end as is_unique,
        {{ linker.name_words('columns.column_path') }} as words
    from columns
    left join scans
        on
            columns.database_name = scans.database_name
            and columns.schema_name = scans.schema_name
            and columns.logical_name = scans.table_name
            and columns.column_path = scans.column_path
),

kinds as (
    select
        *,
        coalesce(scanned_kind, {{ 'case data_type ' ~ kinds_of_types | join(' ') ~ ' end' if kinds_of_types else "'other'" }}) as value_kind
    from measured
),

declared_keys as (
    {{ linker.declared_keys('primary') }}
),

tested_keys as (
    select distinct schema_name, table_name, column_name
    from ({{ linker.tested_unique_columns(are_together=false) }}) as tested
),

-- The best evidence for a foreign key: declared, tested, inferred.
pointing as (
    select
        from_database,
        from_schema,
        from_table,
        element as column_path,
        min(case origin when 'declared' then '1' when 'tested' then '2' when 'documented' then '3' else '4' end) as origin_place
    from ({{ linker.json_texts(ref('linker_joins'), 'from_columns') }}) as edges
    group by from_database, from_schema, from_table, element
),

named as (
    select
        kinds.*,
        case
            when declared_keys.column_name is not null then 'declared'
            when
                tested_keys.column_name is not null
                and max(declared_keys.column_name) over (
                    partition by kinds.database_name, kinds.schema_name, kinds.logical_name
                ) is null
                then 'tested'
        end as known_key_origin,
        case pointing.origin_place when '1' then 'declared' when '2' then 'tested' when '3' then 'documented' when '4' then 'inferred' end as known_pointing_origin,
        coalesce(
            is_unique and value_count = row_count and row_count > 1 and value_kind in ('integer', 'text')
            and not {{ linker.regex_matches('words', '_(amount|price|cost|total|value|name|title|description|text|body|url|email)_$') }}
            and {{ linker.regex_matches('words', '_(id|key|code|no|nr|number|num|uuid|guid|sk|pk|sku|iso|slug)_$|^_(id|key|code)_') }},
            1 = 0
        ) as looks_like_key
    from kinds
    left join declared_keys
        on
            kinds.schema_name = declared_keys.schema_name
            and kinds.physical_name = declared_keys.table_name
            and kinds.column_path = declared_keys.column_name
    left join tested_keys
        on
            lower(kinds.schema_name) = tested_keys.schema_name
            and lower(kinds.physical_name) = tested_keys.table_name
            and lower(kinds.column_path) = tested_keys.column_name
    left join pointing
        on
            kinds.database_name = pointing.from_database
            and kinds.schema_name = pointing.from_schema
            and kinds.logical_name = pointing.from_table
            and kinds.column_path = pointing.column_path
),

-- Without a declared key, the first unique, non-null column with a key-like name.
keys as (
    select
        *,
        case
            when known_key_origin is not null then 1
            when looks_like_key and max(known_key_origin) over (partition by database_name, schema_name, logical_name) is null
                then row_number() over (
                    partition by database_name, schema_name, logical_name, looks_like_key order by position
                )
        end as key_place
    from named
),

final as (
    select
        database_name,
        schema_name,
        logical_name as table_name,
        column_path,
        position,
        data_type,
        value_kind,
        {{ linker.category() }} as category,
        is_nullable,
        is_unique,
        case when key_place = 1 then coalesce(known_key_origin, 'measured') end as primary_key_origin,
        coalesce(
            known_pointing_origin,
            case
                when
                    coalesce(key_place, 0) <> 1 and value_kind in ('integer', 'text')
                    and {{ linker.regex_matches('words', '_(id|key|code|fk|uuid|guid|sk)_$') }}
                    then 'shaped'
            end
        ) as foreign_key_origin
    from keys
)

select
    database_name,
    schema_name,
    table_name,
    column_path,
    position,
    data_type,
    value_kind,
    category,
    is_nullable,
    is_unique,
    primary_key_origin,
    foreign_key_origin
from final
{%- endif %}
