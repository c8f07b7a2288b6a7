-- L1: what each column is, out of its type, its name and its newest scan.
{{ linker.depends_on_lanes() }}

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
        {{ linker.as_number('scans.min_value', 'scans.value_kind') }} as min_number,
        {{ linker.as_number('scans.max_value', 'scans.value_kind') }} as max_number,
        case
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
        coalesce(scanned_kind, {{ linker.value_kind_of_type('data_type') }}) as value_kind
    from measured
),

-- The first column whose values are unique and never null, and whose name is one of a key, is the table's key.
keys as (
    select
        *,
        case
            when is_unique and value_count = row_count and row_count > 1 and value_kind in ('integer', 'text')
                and not {{ linker.regex_matches('words', '_(amount|price|cost|total|value|name|title|description|text|body|url|email)_$') }}
                and {{ linker.regex_matches('words', '_(id|key|code|no|nr|number|num|uuid|guid|sk|pk|sku|iso|slug)_$|^_(id|key|code)') }}
                then row_number() over (
                    partition by database_name, schema_name, logical_name,
                        case when is_unique and value_count = row_count and row_count > 1 and value_kind in ('integer', 'text')
                            and not {{ linker.regex_matches('words', '_(amount|price|cost|total|value|name|title|description|text|body|url|email)_$') }}
                            and {{ linker.regex_matches('words', '_(id|key|code|no|nr|number|num|uuid|guid|sk|pk|sku|iso|slug)_$|^_(id|key|code)') }}
                            then 1 else 0 end
                    order by position
                )
        end as key_place
    from kinds
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
        case when key_place = 1 then 'measured' end as primary_key_origin,
        case
            when coalesce(key_place, 0) <> 1 and value_kind in ('integer', 'text') and {{ linker.regex_matches('words', '_(id|key|code|fk|uuid|guid|sk)_$') }}
                then 'shaped'
        end as foreign_key_origin
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
