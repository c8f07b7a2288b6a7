{#- Join candidates: pairs of columns by name. -#}

{#-
    The start of a query over pairs of a column and a possible key, both from linker_join_columns with a number, their
    position by name; conditions on `pointing` and `keys` follow. The number of pairs grows quadratically, and they are
    sorted before most are dropped, so they carry column numbers instead of text.
-#}
{% macro join_pair(pointing, keys, name_rule, name_weight) %}
    select
        pointing.column_number as from_number,
        keys.column_number as to_number,
        pointing.schema_name = keys.schema_name as is_same_schema,
        -- The table's own key; one named after another table may still reference that table: `has_pets.pet_id`.
        pointing.is_unique
        and pointing.home_rank >= 1
        and not (keys.home_rank > pointing.home_rank and pointing.key_stem = keys.key_stem) as from_is_main,
        keys.home_rank > 0 as to_is_home,
        {{ name_rule }} as name_rule,
        {{ name_weight }} as name_weight,
        -- The share of the key's range that the values cover: 1 if the maxima are equal.
        case
            when pointing.value_kind <> 'integer' and keys.value_kind <> 'integer' then 1.0
            when keys.max_number > keys.min_number and pointing.max_number is not null
                then least(1.0, greatest(0.0, (pointing.max_number - keys.min_number) / (keys.max_number - keys.min_number)))
            when pointing.largest_length = keys.largest_length then 0.8
            else 0.3
        end as range_fit
    from {{ pointing }} as pointing
    inner join {{ keys }} as keys
        on
            (pointing.value_kind = keys.value_kind or pointing.compared_kind = keys.compared_kind)
            and pointing.database_name = keys.database_name
            and not (
                pointing.schema_name = keys.schema_name
                and pointing.table_name = keys.table_name
                and pointing.column_path = keys.column_path
            )
            -- A few values may be outside the range known when the key was read; most must be inside.
            and coalesce(pointing.min_number <= keys.max_number and pointing.max_number >= keys.min_number, true)
            -- Texts of other lengths, or outside the key's sort range, are not in the key.
            and (
                pointing.value_kind <> 'text'
                or keys.value_kind <> 'text'
                or (
                    coalesce(pointing.text_length <= keys.largest_length and pointing.largest_length >= keys.text_length, true)
                    and coalesce(pointing.min_value <= keys.max_value and pointing.max_value >= keys.min_value, true)
                )
            )
            and pointing.distinct_count <= 1.5 * keys.distinct_count + 10
{%- endmacro %}

{#-
    Names by which columns may reference a key: all columns of `keys` (from linker_join_columns), and
    alias         the name
    alias_kind    'name' if it contains a key word, 'stem' if it is the entity alone
    alias_rule    the rule in words
    alias_weight  the strength of a match, from 0 to 1
    is_of_table   whether it is the table's name alone
-#}
{% macro join_key_names(keys) -%}
    {%- set common = linker._literals(linker.join_words('common')) %}
    -- `customer_id`; a name without a key word that is not the table's own is an attribute too: `pay_period`.
    select
        *,
        words as alias,
        'name' as alias_kind,
        'same name' as alias_rule,
        case when says_key or home_rank > 0 then 1.0 else 0.8 end as alias_weight,
        false as is_of_table
    from {{ keys }}
    where words not in ({{ common }})

    union all

    -- `customer_id` references `customers.id`.
    select *, entity || '_' || words, 'name', 'name of the table and its key', 0.95, false
    from {{ keys }}
    where words in ({{ common }})

    union all

    -- So may `sales_customers.id`.
    select *, entity_tail || '_' || words, 'name', 'name of the table and its key', 0.85, false
    from {{ keys }}
    where words in ({{ common }}) and entity_tail <> entity

    union all

    -- `customer_no` and `customer` for `customer_id`.
    select *, key_stem, 'stem', 'name of the thing', case when home_rank > 0 then 0.85 else 0.75 end, false
    from {{ keys }}
    where key_stem <> ''

    union all

    -- `order_status` for the key of `lkp_order_status`.
    select *, entity, 'name', 'name of the table and its key', 0.85, false
    from {{ keys }}
    where home_rank > 0

    union all

    -- `customer` for the key of `customers`, whatever its name, and for the name of a customer.
    select *, entity, 'stem', 'name of the thing', 0.75, true
    from {{ keys }}
    where entity <> key_stem

    union all

    select *, entity_tail, 'stem', 'name of the thing', 0.6, true
    from {{ keys }}
    where entity_tail not in (entity, key_stem)

    union all

    -- `visitor_id` for a first column `full_visitor_id`.
    select *, {{ linker.regex_extract('words', '^[^_]+_(.+)$') }}, 'name', 'name of the table and its key', 0.6, false
    from {{ keys }}
    where is_key and position = 1 and length(words) - length(replace(words, '_', '')) >= 2
{%- endmacro %}

{#-
    Pairs of a composite key and columns of another table with the same names. Takes linker_composite_keys and
    linker_join_columns; returns the columns of linker_join_candidates.
    The referencing columns are top-level, or all in one struct; their names may omit the first word that the key's columns
    share: `traffic_source.medium` for `utm_medium`.
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
