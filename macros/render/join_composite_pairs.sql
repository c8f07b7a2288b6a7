{#-
    Pairs of a composite key and columns of another table that are called as the key's columns are. Enters
    linker_composite_keys and linker_join_columns; leaves the columns of linker_join_candidates.
    The pointing columns belong to the row itself, or all to one struct in it; their names may go without the first word
    that those of the key share: `traffic_source.medium` for `utm_medium`.
-#}
{% macro join_composite_pairs(composite_keys, columns) %}
    with parts as (
        select
            listed.key_columns,
            listed.column_count,
            listed.origin,
            listed.is_numbered,
            columns.*,
            {{ linker.regex_extract('columns.words', '^([^_]+)_') }} as first_word
        from ({{ linker.json_texts(composite_keys, 'key_columns') }}) as listed
        inner join {{ columns }} as columns
            on
                listed.database_name = columns.database_name
                and listed.schema_name = columns.schema_name
                and listed.table_name = columns.table_name
                and listed.element = columns.column_path
    ),

    shared as (
        select
            *,
            min(coalesce(first_word, '')) over (partition by database_name, schema_name, table_name, key_columns) as lowest_word,
            max(coalesce(first_word, '')) over (partition by database_name, schema_name, table_name, key_columns) as highest_word
        from parts
    ),

    called as (
        select *, words as alias, 1.0 as alias_weight from shared
        union all
        select *, {{ linker.regex_extract('words', '^[^_]+_(.+)$') }} as alias, 0.9 as alias_weight
        from shared
        where lowest_word = highest_word and first_word is not null
    ),

    pointing_columns as (
        select *, case when is_nested then {{ linker.regex_replace('column_path', '[.][^.]*$', '') }} else '' end as parent_path
        from {{ columns }}
        where not is_in_list and not is_discovered
    )

    select
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        {{ linker.text_list('pointing.column_path', 'keys.position') }} as from_columns,
        {{ linker.text_list('pointing.value_kind', 'keys.position') }} as from_kinds,
        max(pointing.members) as from_members,
        max(pointing.fingerprint) as from_fingerprint,
        false as from_discovered,
        min(pointing.value_count) as from_value_count,
        max(pointing.distinct_count) as from_distinct_count,
        cast(null as {{ dbt.type_bigint() }}) as from_text_length,
        false as from_is_unique,
        false as from_is_first,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        keys.key_columns as to_columns,
        {{ linker.text_list('keys.value_kind', 'keys.position') }} as to_kinds,
        max(keys.members) as to_members,
        max(keys.fingerprint) as to_fingerprint,
        max(keys.row_count) as to_value_count,
        max(keys.row_count) as to_distinct_count,
        case when max(case when keys.value_kind = 'integer' and pointing.value_kind = 'integer' then 0 else 1 end) = 0 then 1.0 end as to_density,
        keys.is_numbered as to_is_home,
        keys.is_numbered as to_is_main,
        max(keys.column_count) as column_count,
        case
            when keys.is_numbered then 'same names, of a number within its parent'
            when keys.origin = 'measured' then 'same names'
            else 'same names, of a ' || keys.origin || ' key'
        end as name_rule,
        keys.alias_weight * case when keys.is_numbered then 1.0 when keys.origin = 'measured' then 0.7 else 0.85 end as name_weight,
        1.0 as range_fit
    from called as keys
    inner join pointing_columns as pointing
        on
            keys.database_name = pointing.database_name
            and keys.alias = pointing.words
            and keys.compared_kind = pointing.compared_kind
            and not (keys.schema_name = pointing.schema_name and keys.table_name = pointing.table_name)
    group by
        pointing.database_name,
        pointing.schema_name,
        pointing.table_name,
        pointing.parent_path,
        keys.database_name,
        keys.schema_name,
        keys.table_name,
        keys.key_columns,
        keys.alias_weight,
        keys.origin,
        keys.is_numbered
    having count(*) = max(keys.column_count) and count(distinct keys.position) = max(keys.column_count)
{% endmacro %}
