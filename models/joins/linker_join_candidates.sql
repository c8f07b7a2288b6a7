{%- set common = linker._literals(linker.join_common_words()) -%}
{%- set double = linker.double_type() -%}
-- The pairs of columns that may join, by names, kinds and ranges: what is worth measuring. No table is read for it.
{{ linker.depends_on_lanes() }}

with newest_scans as (
    {{ linker.newest_scans(ref('linker_scans'), ref('linker_attempts')) }}
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

-- Columns whose values may be looked at, are alike enough to be compared, and are not texts to read.
columns as (
    select
        scans.database_name,
        scans.schema_name,
        scans.table_name,
        scans.column_path,
        scans.is_discovered,
        scans.value_kind,
        scans.row_count,
        scans.value_count,
        scans.distinct_count,
        cast({{ linker.try_cast('scans.min_value', 'wide_integer') }} as {{ double }}) as min_number,
        cast({{ linker.try_cast('scans.max_value', 'wide_integer') }} as {{ double }}) as max_number,
        scans.min_value,
        scans.max_value,
        scans.min_length,
        scans.max_length,
        scans.privacy,
        scans.patterns,
        scans.personal_data,
        {{ linker.regex_extract('scans.patterns', '"value":"([^"]*)"') }} as first_pattern,
        plan.members,
        plan.table_kind,
        newest_scans.fingerprint,
        places.position,
        {{ linker.join_words(linker.join_leaf('scans.column_path')) }} as words,
        {{ linker.join_entity('scans.table_name') }} as entity,
        case when scans.column_path like '%.%' and scans.column_path not like '%"%' then true else false end as is_nested
    from {{ ref('linker_scans') }} as scans
    inner join newest_scans on scans.attempt_id = newest_scans.attempt_id
    inner join {{ ref('linker_plan') }} as plan
        on
            scans.database_name = plan.database_name
            and scans.schema_name = plan.schema_name
            and scans.table_name = plan.table_name
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
),

named as {{ linker.materialized() }}(
    select
        *,
        {{ linker.join_stem('words') }} <> words as says_key,
        {{ linker.join_singular(linker.join_stem('words')) }} as stem,
        coalesce({{ linker.regex_extract('entity', '_([^_]+)$') }}, entity) as entity_tail
    from columns
),

-- What can be pointed to: every value stands once, nearly every row has one, and it is no measure.
unique_columns as (
    select
        *,
        case when words in ({{ common }}) or stem = '' then entity else stem end as key_stem,
        -- The key that the table is about: `customers.customer_id`, `lkp_status.code`.
        stem = '' or stem = entity or right(entity, length(stem) + 1) = '_' || stem as is_home
    from named
    where
        not is_nested
        and value_kind in ('integer', 'text')
        and distinct_count > 1
        and distinct_count >= 0.995 * value_count
        and value_count >= 0.9 * row_count
        and not {{ linker.regex_matches('words', linker.join_measure_words()) }}
),

keys as {{ linker.materialized() }}(
    select
        *,
        is_home and (words in ({{ common }}) or words <> stem) and row_number() over (
            partition by database_name, schema_name, table_name, is_home
            order by case when value_kind = 'integer' or words like '%code' then 0 else 1 end, position
        ) = 1 as is_main,
        row_number() over (partition by database_name, schema_name, table_name order by position) = 1
        and position = 1 as is_first
    from unique_columns
),

-- What a key may be called where it is pointed to.
key_names as (
    select *, words as alias, 'name' as alias_kind, 1.0 as alias_weight from keys where words not in ({{ common }})
    union all
    select *, entity || '_' || words, 'name', 0.95 from keys where words in ({{ common }})
    union all
    select *, entity_tail || '_' || words, 'name', 0.85 from keys where words in ({{ common }}) and entity_tail <> entity
    union all
    select *, key_stem, 'stem', case when is_home then 0.85 else 0.75 end from keys where key_stem <> ''
    union all
    select *, entity, 'name', 0.85 from keys where is_home
    union all
    select *, entity, 'stem', 0.75 from keys where entity <> key_stem
    union all
    select *, entity_tail, 'stem', 0.6 from keys where entity_tail not in (entity, key_stem)
    union all
    select *, {{ linker.regex_extract('words', '^[^_]+_(.+)$') }}, 'name', 0.6 from keys where is_first and length(words) - length(replace(words, '_', '')) >= 2
),

-- A name, and what is left of it without its first words: `billing_customer_id`, `customer_id`.
pointing_names as (
    select *, words as called, 'name' as called_kind, 0 as dropped from named
    union all
    select *, {{ linker.regex_extract('words', '^[^_]+_(.+)$') }}, 'name', 1 from named
    union all
    select *, {{ linker.regex_extract('words', '^[^_]+_[^_]+_(.+)$') }}, 'name', 2 from named
    union all
    select *, stem, 'stem', 0 from named where stem <> ''
    union all
    select *, {{ linker.regex_extract('stem', '^[^_]+_(.+)$') }}, 'stem', 1 from named
    union all
    select *, {{ linker.regex_extract('stem', '^[^_]+_[^_]+_(.+)$') }}, 'stem', 2 from named
),

references_by_number as (
    select *
    from named
    where
        value_kind = 'integer'
        and distinct_count >= 20
        and {{ linker.regex_matches('words', '(^|_)(id|key|no|nr|num|number|ref|pk|fk|sk)$') }}
        and not {{ linker.regex_matches('words', linker.join_measure_words()) }}
),

large_keys as (
    select * from keys where value_kind = 'integer' and is_main and distinct_count >= 100
),

coded as (
    select *
    from named
    where
        value_kind = 'text'
        and distinct_count >= 3
        and length(first_pattern) between 3 and 40
        and {{ linker.regex_matches('first_pattern', '9|^[A-Z]+$') }}
),

text_keys as (
    select * from keys where value_kind = 'text' and distinct_count >= 5
),

by_name as (
    {{ linker.join_pair('pointing_names', 'key_names', "case
            when pointing.dropped > 0 then 'role before the name'
            when keys.alias_weight = 1.0 then 'same name'
            when keys.alias_kind = 'name' then 'name of the table and its key'
            else 'name of the thing'
        end", 'keys.alias_weight - 0.1 * pointing.dropped') }}
        and pointing.called = keys.alias
        and pointing.called_kind = keys.alias_kind
    where
        pointing.called not in ({{ common }})
        and (
            (pointing.called_kind = 'name' and keys.alias <> keys.entity)
            or pointing.value_kind = 'text'
            -- A number that is called like a table may as well count what is in it: `orders`, `sort_order`.
            or (
                pointing.says_key
                or keys.max_number <= 2 * pointing.max_number
            )
        )
),

-- `cust`, `emp`, `dept`: the letters of a longer word in their order, the first two at its start.
by_abbreviation as (
    {{ linker.join_pair('pointing_names', 'key_names', "'abbreviated name'", '0.7 - 0.1 * pointing.dropped') }}
        and left(pointing.called, 2) = left(keys.alias, 2)
        and keys.alias like {{ linker.join_letters('pointing.called') }}
        and pointing.called <> keys.alias
        and length(pointing.called) - length(replace(pointing.called, '_', '')) = length(keys.alias) - length(replace(keys.alias, '_', ''))
        and length(pointing.called) between 2 and 0.8 * length(keys.alias)
    where pointing.called_kind = 'stem' and keys.alias_kind = 'stem' and keys.is_home
),

-- `approved_by`, `manager_id`: people and their roles.
by_role as (
    {{ linker.join_pair('named', 'keys', "'role of a person'", '0.5') }}
    where
        keys.is_home
        and keys.is_main
        and (
            {%- for who in ['worker', 'anybody'] %}
            {{ 'or ' if not loop.first }}(
                {{ linker.regex_matches('keys.entity', linker.join_person_words(who)) }}
                and {{ linker.regex_matches('pointing.words', linker.join_role_words(who)) }}
            )
            {%- endfor %}
        )
),

-- Names say nothing: numbers that fill the range of a table's own key.
by_range as (
    {{ linker.join_pair('references_by_number', 'large_keys', "'values alone'", '0.3') }}
            and pointing.max_number >= keys.min_number + 0.8 * (keys.max_number - keys.min_number)
),

-- Texts that are written as those of a key are: `AA-9999`.
by_shape as (
    {{ linker.join_pair('coded', 'text_keys', "'values alone'", '0.3') }}
            and pointing.first_pattern = keys.first_pattern
),

by_address as (
    {{ linker.join_pair('named', 'text_keys', "'values alone'", '0.3') }}
            and pointing.personal_data = keys.personal_data
    where pointing.personal_data = 'email' and pointing.distinct_count >= 5
),

-- `parent_id`, `parent_code`: the table's own key.
by_parent as (
    {{ linker.join_pair('named', 'keys', "'parent in the same table'", '0.8') }}
            and pointing.schema_name = keys.schema_name
            and pointing.table_name = keys.table_name
    where keys.is_main and pointing.stem in ('parent', 'previou', 'previous', 'next', 'root', 'predecessor', 'successor', 'replaced_by')
),

all_pairs as {{ linker.materialized() }}(
    select * from by_name
    union all
    select * from by_parent
    union all
    select * from by_abbreviation
    union all
    select * from by_role
    union all
    select * from by_range
    union all
    select * from by_shape
    union all
    select * from by_address
),

judged as (
    select
        *,
        row_number() over (
            partition by from_database, from_schema, from_table, from_path, to_database, to_schema, to_table, to_path
            order by name_weight desc, name_rule
        ) as choice,
        max(name_weight) over (partition by from_database, from_schema, from_table, from_path) as best_weight
    from all_pairs
),

ranked as (
    select
        *,
        row_number() over (
            partition by from_database, from_schema, from_table, from_path
            order by
                name_weight
                + case when to_is_home then 0.2 else 0 end
                + case when from_schema = to_schema then 0.1 else 0 end
                + 0.1 * range_fit desc,
                to_schema, to_table, to_path
        ) as place
    from judged
    -- Where names speak, values alone need not be looked at.
    where choice = 1 and (name_weight > 0.3 or best_weight < 0.7)
),

-- Keys of two columns: a number of its own within what it belongs to, or the first two columns of a table without a key.
composite_keys as (
    select
        first_column.*,
        second_column.column_path as second_path,
        second_column.words as second_words,
        second_column.value_kind as second_kind,
        first_column.says_key and second_column.words in ({{ linker._literals(linker.join_line_words()) }}) as is_numbered
    from named as first_column
    inner join named as second_column
        on
            first_column.database_name = second_column.database_name
            and first_column.schema_name = second_column.schema_name
            and first_column.table_name = second_column.table_name
            and first_column.position < second_column.position
    left join (select distinct database_name, schema_name, table_name from keys where is_main) as own_keys
        on
            first_column.database_name = own_keys.database_name
            and first_column.schema_name = own_keys.schema_name
            and first_column.table_name = own_keys.table_name
    where
        not first_column.is_nested
        and not second_column.is_nested
        and first_column.row_count > 1
        and first_column.value_count = first_column.row_count
        and second_column.value_count = first_column.row_count
        and first_column.distinct_count between 2 and first_column.row_count - 1
        and second_column.distinct_count between 2 and first_column.row_count - 1
        and 1.0 * first_column.distinct_count * second_column.distinct_count >= first_column.row_count
        and (
            first_column.says_key and second_column.words in ({{ linker._literals(linker.join_line_words()) }})
            or (own_keys.table_name is null and first_column.position = 1 and second_column.position = 2)
        )
),

composites as (
    select
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        {{ linker.join_path_list(['pointing.column_path', 'second_column.column_path']) }} as from_columns,
        pointing.members as from_members,
        pointing.fingerprint as from_fingerprint,
        '["' || pointing.value_kind || '","' || second_column.value_kind || '"]' as from_kinds,
        '["' || keys.value_kind || '","' || keys.second_kind || '"]' as to_kinds,
        least(pointing.value_count, second_column.value_count) as from_value_count,
        greatest(pointing.distinct_count, second_column.distinct_count) as from_distinct_count,
        pointing.row_count as from_row_count,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        {{ linker.join_path_list(['keys.column_path', 'keys.second_path']) }} as to_columns,
        keys.members as to_members,
        keys.fingerprint as to_fingerprint,
        keys.row_count as to_row_count,
        keys.is_numbered
    from composite_keys as keys
    inner join named as pointing
        on
            keys.database_name = pointing.database_name
            and keys.words = pointing.words
            and keys.value_kind = pointing.value_kind
    inner join named as second_column
        on
            pointing.database_name = second_column.database_name
            and pointing.schema_name = second_column.schema_name
            and pointing.table_name = second_column.table_name
            and keys.second_words = second_column.words
            and keys.second_kind = second_column.value_kind
    where
        not pointing.is_nested
        and not second_column.is_nested
        and not (keys.schema_name = pointing.schema_name and keys.table_name = pointing.table_name)
),

united as (
    select
        from_database, from_schema, from_table,
        {{ linker.join_path_list(['from_path']) }} as from_columns,
        1 as column_count,
        from_discovered, from_members, from_fingerprint,
        '["' || from_kind || '"]' as from_kinds,
        from_value_count, from_distinct_count, from_is_main, from_is_first, from_is_unique, from_text_length,
        to_database, to_schema, to_table,
        {{ linker.join_path_list(['to_path']) }} as to_columns,
        '["' || from_kind || '"]' as to_kinds,
        to_members, to_fingerprint, to_value_count, to_distinct_count, to_is_home, to_is_main,
        name_rule, name_weight, range_fit
    from ranked
    where place <= {{ var('join_candidates', 5) }}

    union all

    select
        from_database, from_schema, from_table, from_columns,
        2 as column_count,
        false as from_discovered, from_members, from_fingerprint, from_kinds,
        from_value_count, from_distinct_count, false as from_is_main, false as from_is_first, false as from_is_unique,
        null as from_text_length,
        to_database, to_schema, to_table, to_columns, to_kinds, to_members, to_fingerprint,
        to_row_count as to_value_count, to_row_count as to_distinct_count, is_numbered as to_is_home, is_numbered as to_is_main,
        case when is_numbered then 'same names, of a number within its parent' else 'same names' end as name_rule,
        case when is_numbered then 1.0 else 0.7 end as name_weight,
        1.0 as range_fit
    from composites
),

final as (
    select
        from_database,
        from_schema,
        from_table,
        from_columns,
        from_kinds,
        from_members,
        from_fingerprint,
        from_discovered,
        cast(from_value_count as bigint) as from_value_count,
        cast(from_distinct_count as bigint) as from_distinct_count,
        cast(from_text_length as bigint) as from_text_length,
        from_is_unique,
        from_is_first,
        from_is_main,
        to_database,
        to_schema,
        to_table,
        to_columns,
        to_kinds,
        to_members,
        to_fingerprint,
        cast(to_value_count as bigint) as to_value_count,
        cast(to_distinct_count as bigint) as to_distinct_count,
        to_is_home,
        to_is_main,
        cast(column_count as bigint) as column_count,
        cast(name_rule as {{ dbt.type_string() }}) as name_rule,
        cast(name_weight as {{ double }}) as name_weight,
        cast(range_fit as {{ double }}) as range_fit
    from united
)

select
    from_database,
    from_schema,
    from_table,
    from_columns,
    from_kinds,
    from_members,
    from_fingerprint,
    from_discovered,
    from_value_count,
    from_distinct_count,
    from_text_length,
    from_is_unique,
    from_is_first,
    from_is_main,
    to_database,
    to_schema,
    to_table,
    to_columns,
    to_kinds,
    to_members,
    to_fingerprint,
    to_value_count,
    to_distinct_count,
    to_is_home,
    to_is_main,
    column_count,
    name_rule,
    name_weight,
    range_fit
from final
