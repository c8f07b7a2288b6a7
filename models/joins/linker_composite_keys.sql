{%- if linker.is_idle() -%}{{ linker.no_rows(model) }}{%- else -%}
{%- set line_words = linker._literals(linker.join_words('line')) -%}
{%- set season_words = linker._literals(linker.join_words('season')) -%}
-- Composite keys: declared ones, those tested by dbt, and pairs of columns that look like one.

with columns as (
    select * from {{ ref('linker_join_columns') }} where not is_nested
),

declared_columns as (
    {{ linker.declared_keys('primary') }}
),

tested_columns as (
    {{ linker.tested_unique_columns(are_together=true) }}
),

known_columns as (
    select
        'declared' as origin,
        'primary key' as key_name,
        lower(schema_name) as schema_name,
        lower(table_name) as physical_name,
        lower(column_name) as column_name
    from declared_columns
    union all
    select 'tested' as origin, test_name as key_name, schema_name, table_name as physical_name, column_name
    from tested_columns
),

known_keys as (
    select origin, key_name, schema_name, physical_name, count(*) as column_count
    from known_columns
    group by origin, key_name, schema_name, physical_name
    having count(*) between 2 and 4
),

-- In the catalog's spelling; keys with an unreadable column are removed below.
known as (
    select
        known_keys.origin,
        known_keys.key_name,
        known_keys.column_count,
        columns.database_name,
        columns.schema_name,
        columns.table_name,
        columns.column_path,
        columns.position,
        columns.words
    from known_keys
    inner join known_columns
        on
            known_keys.origin = known_columns.origin
            and known_keys.key_name = known_columns.key_name
            and known_keys.schema_name = known_columns.schema_name
            and known_keys.physical_name = known_columns.physical_name
    inner join {{ ref('linker_tables') }} as tables
        on
            known_keys.schema_name = lower(tables.schema_name)
            and known_keys.physical_name = lower(tables.table_name)
            and tables.is_representative
    inner join columns
        on
            tables.database_name = columns.database_name
            and tables.schema_name = columns.schema_name
            and coalesce(tables.family_name, tables.table_name) = columns.table_name
            and known_columns.column_name = lower(columns.column_path)
),

tables_with_a_key as (
    select distinct database_name, schema_name, table_name
    from (
        select database_name, schema_name, table_name from columns where is_main
        union all
        select database_name, schema_name, table_name from known
    ) as keyed
),

-- A line number within its parent; for a table without a key the first two columns, or a key and its season.
pairs as (
    select
        first_column.database_name,
        first_column.schema_name,
        first_column.table_name,
        first_column.column_path as first_path,
        first_column.position as first_position,
        first_column.words as first_words,
        second_column.column_path as second_path,
        second_column.position as second_position,
        second_column.words as second_words
    from columns as first_column
    inner join columns as second_column
        on
            first_column.database_name = second_column.database_name
            and first_column.schema_name = second_column.schema_name
            and first_column.table_name = second_column.table_name
            and first_column.position < second_column.position
    left join tables_with_a_key
        on
            first_column.database_name = tables_with_a_key.database_name
            and first_column.schema_name = tables_with_a_key.schema_name
            and first_column.table_name = tables_with_a_key.table_name
    where
        first_column.row_count > 1
        and first_column.value_count = first_column.row_count
        and second_column.value_count = first_column.row_count
        and first_column.distinct_count between 2 and first_column.row_count - 1
        and second_column.distinct_count >= 2
        and 1.0 * first_column.distinct_count * second_column.distinct_count >= first_column.row_count
        and (
            (
                first_column.says_key
                and second_column.words in ({{ line_words }})
                and second_column.distinct_count < first_column.row_count
            )
            or (tables_with_a_key.table_name is null and first_column.position = 1 and second_column.position = 2)
            or (
                tables_with_a_key.table_name is null
                and second_column.position <= 3
                and (
                    (first_column.words in ({{ season_words }}) and second_column.words not in ({{ season_words }}) and second_column.says_key)
                    or (first_column.words not in ({{ season_words }}) and first_column.says_key and second_column.words in ({{ season_words }}))
                )
            )
        )
),

key_columns as (
    select origin, key_name, column_count, database_name, schema_name, table_name, column_path, position, words
    from known
    union all
    select
        'measured' as origin, first_path || ', ' || second_path as key_name, 2 as column_count,
        database_name, schema_name, table_name, first_path, first_position, first_words
    from pairs
    union all
    select
        'measured' as origin, first_path || ', ' || second_path as key_name, 2 as column_count,
        database_name, schema_name, table_name, second_path, second_position, second_words
    from pairs
),

listed as (
    select
        database_name,
        schema_name,
        table_name,
        origin,
        column_count,
        {{ linker.text_list('column_path', 'position') }} as key_columns,
        max(case when words in ({{ line_words }}) then 1 else 0 end) = 1 as is_numbered
    from key_columns
    group by database_name, schema_name, table_name, origin, key_name, column_count
    having count(*) = column_count
),

ranked as (
    select
        *,
        row_number() over (
            partition by database_name, schema_name, table_name, key_columns
            order by case origin when 'declared' then 1 when 'tested' then 2 else 3 end
        ) as place
    from listed
),

final as (
    select * from ranked where place = 1
)

select
    database_name,
    schema_name,
    table_name,
    cast(key_columns as {{ dbt.type_string() }}) as key_columns,
    cast(column_count as bigint) as column_count,
    cast(origin as {{ dbt.type_string() }}) as origin,
    is_numbered
from final
{%- endif %}
