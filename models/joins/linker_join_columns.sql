{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{%- set double = linker.dialect().double_type -%}
{#- The entity of a table, without its layer: `dim_customers` and `lkp_customer` hold `customer`. -#}
{%- set layers = '^(' ~ linker.join_words('layer') | join('|') ~ ')_' -%}
{%- set bare_table = linker.regex_replace(
    linker.regex_replace(linker.snake_case('scans.table_name'), layers, ''), '_(dim|fact|lookup|lkp|ref|tbl)$', ''
) -%}
{#- The last step of a path, which names the value: `page` of `hits.page`; a path with quoted steps is used whole. -#}
{%- set step = "case when scans.column_path like '%\"%' then scans.column_path else "
    ~ linker.regex_extract('scans.column_path', '([^.]+)$') ~ ' end' -%}
{#- Words without key suffixes: `customer_id`, `customer_no` and `id_customer` give `customer`; `id` gives ''. -#}
{%- set stem = linker.regex_replace(
    linker.regex_replace('words', '(^|_)(' ~ linker.join_words('key') | join('|') ~ ')$', ''), '^(id|fk|pk|sk)_', ''
) -%}
-- Columns that may join, their parsed names, and possible keys. Reads no table.
-- depends_on: {{ ref('linker_runs') }}

with newest_scans as (
    {{ linker.newest_column_scans(ref('linker_scans'), ref('linker_attempts')) }}
),

places as (
    select
        tables.database_name,
        tables.schema_name,
        coalesce(tables.family_name, tables.table_name) as table_name,
        columns.column_path,
        columns.position
    from {{ ref('linker_columns') }} as columns
    inner join {{ ref('linker_tables') }} as tables
        on
            columns.database_name = tables.database_name
            and columns.schema_name = tables.schema_name
            and columns.table_name = tables.table_name
    where tables.is_representative
),

scanned_families as (
    {{ linker.scanned_families(ref('linker_scans'), ref('linker_attempts')) }}
),

newest_members as (
    select
        database_name,
        schema_name,
        family_name,
        {{ linker.text_list('table_name', 'member_number') }} as members
    from {{ ref('linker_tables') }}
    where is_representative and family_name is not null
    group by database_name, schema_name, family_name
),

lists as {{ linker.dialect().materialized }}(
    select attempt_id, column_path from {{ ref('linker_scans') }} where value_kind = 'list'
),

-- Columns with visible, comparable values that are no prose.
columns as (
    select
        scans.*,
        -- The newest of snapshots is joined alone.
        case when scanned_families.kind = 'snapshots' then newest_members.members else plan.members end as members,
        places.position,
        case when scans.column_path like '%.%' and scans.column_path not like '%"%' then true else false end as is_nested,
        exists(
            select 1
            from lists
            where lists.attempt_id = scans.attempt_id and left(scans.column_path, length(lists.column_path) + 1) = lists.column_path || '.'
        ) as is_in_list,
        {{ linker.regex_extract('scans.patterns', '"value":"([^"]*)"') }} as first_pattern,
        -- A text of digits only may be a key of another table.
        case
            when
                scans.value_kind = 'text'
                and {{ linker.regex_matches('scans.patterns', '"value":"9') }}
                and not {{ linker.regex_matches('scans.patterns', '"value":"[^"]*[^9"]') }}
                then 'integer'
            else scans.value_kind
        end as compared_kind,
        {{ linker.snake_case(step) }} as words,
        {{ linker.join_singular(bare_table) }} as entity
    from newest_scans as scans
    inner join {{ ref('linker_plan') }} as plan
        on
            scans.database_name = plan.database_name
            and scans.schema_name = plan.schema_name
            and scans.table_name = plan.table_name
    left join scanned_families on scans.attempt_id = scanned_families.attempt_id
    left join newest_members
        on
            scans.database_name = newest_members.database_name
            and scans.schema_name = newest_members.schema_name
            and scans.table_name = newest_members.family_name
    inner join places
        on
            scans.database_name = places.database_name
            and scans.schema_name = places.schema_name
            and scans.table_name = places.table_name
            and scans.column_path = places.column_path
    where
        scans.value_kind in ('integer', 'text', 'date')
        and scans.privacy <> 'hide'
        and scans.value_count > 0
        and coalesce(scans.max_length, 0) <= 64
        -- Map values have no path in a document.
        and scans.column_path not like '%.*%'
),

stemmed as (
    select
        *,
        distinct_count = value_count as is_unique,
        {{ stem }} <> words as says_key,
        {{ linker.join_singular(stem) }} as stem,
        coalesce({{ linker.regex_extract('entity', '_([^_]+)$') }}, entity) as entity_tail,
        case when value_kind = 'integer' then cast({{ linker.try_cast('min_value', 'wide_integer') }} as {{ double }}) end as min_number,
        case when value_kind = 'integer' then cast({{ linker.try_cast('max_value', 'wide_integer') }} as {{ double }}) end as max_number,
        case when value_kind = 'integer' then length(max_value) else max_length end as largest_length,
        case when value_kind = 'text' then coalesce(min_length, length(first_pattern)) end as text_length,
        cast({{ linker.regex_extract('quantiles', '^\\[[^,]+, *([^,]+),') }} as {{ double }}) as low_number,
        cast({{ linker.regex_extract('quantiles', '([^, ]+), *[^, ]+\\]$') }} as {{ double }}) as high_number
    from columns
),

-- Possible keys: unique, almost never null, and no measure.
marked as (
    select
        *,
        not is_nested
        and value_kind in ('integer', 'text')
        and distinct_count > 1
        and distinct_count >= 0.995 * value_count
        and value_count >= 0.9 * row_count
        and not {{ linker.join_ends_with('words', linker.join_words('measure')) }} as is_distinct,
        case when words in ({{ linker._literals(linker.join_words('common')) }}) or stem = '' then entity else stem end as key_stem,
        -- The likelihood of being the key of the table's entity: `customers.customer_id`, `lkp_order_status.status_code`, `countries.cid`.
        case
            when stem in ('', entity) or words = entity then 3
            when right(entity, length(stem) + 1) = '_' || stem then 2
            when says_key and position = 1 and entity = entity_tail and {{ linker.join_abbreviates('stem', 'entity') }} then 1
            else 0
        end as home_rank
    from stemmed
),

-- A part of an address or a person's name, or a position among rows, is a key only if the table is about it: few
-- customers have few duplicates, and every short list is numbered from 1.
keyed as (
    select
        *,
        is_distinct
        and not (
            home_rank = 0
            and {{ linker.join_ends_with('words', linker.join_words('place') + linker.join_words('personal') + linker.join_words('ordering')) }}
        ) as is_key
    from marked
),

final as (
    select
        *,
        is_key
        and home_rank > 0
        and (words in ({{ linker._literals(linker.join_words('common')) }}) or words <> stem)
        and row_number() over (
            partition by database_name, schema_name, table_name, is_key, home_rank > 0
            order by home_rank desc, case when value_kind = 'integer' or words like '%code' then 0 else 1 end, position
        ) = 1 as is_main,
        -- The densest of three ranges: all values, all but the outer twentieths, and, for many values, the lowest twentieth: a few
        -- large numbers do not make small ones sparse.
        case
            when is_key and value_kind = 'integer' then least(1.0, greatest(
                distinct_count / (max_number - min_number + 1),
                case when distinct_count >= 100 then 0.05 * distinct_count / (low_number - min_number + 1) else 0.0 end,
                0.9 * distinct_count / (high_number - low_number + 1)
            ))
            when is_key and compared_kind = 'integer' then cast(1 as {{ double }})
        end as key_density
    from keyed
)

select
    database_name,
    schema_name,
    table_name,
    column_path,
    cast(position as bigint) as position,
    members,
    fingerprint,
    is_nested,
    is_in_list,
    is_discovered,
    value_kind,
    cast(compared_kind as {{ dbt.type_string() }}) as compared_kind,
    row_count,
    value_count,
    distinct_count,
    is_unique,
    -- Extremes that may be shapes of masked values are left out, since shapes do not sort as values do.
    {%- for name in ['min_value', 'max_value'] %}
    case when {{ linker.regex_matches(name, '[B-Zb-z0-8]') }} then {{ name }} end as {{ name }},
    {%- endfor %}
    min_number,
    max_number,
    cast(largest_length as bigint) as largest_length,
    cast(text_length as bigint) as text_length,
    first_pattern,
    personal_data,
    words,
    says_key,
    stem,
    entity,
    entity_tail,
    key_stem,
    is_key,
    cast(home_rank as bigint) as home_rank,
    is_main,
    key_density
from final
{%- endif %}
