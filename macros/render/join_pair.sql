{#-
    The head of a query over pairs of a column and a key that it may point to, both of linker_join_columns; conditions on
    `pointing` and `keys` follow.
-#}
{% macro join_pair(pointing, keys, name_rule, name_weight) %}
    select
        pointing.database_name as from_database,
        pointing.schema_name as from_schema,
        pointing.table_name as from_table,
        pointing.column_path as from_path,
        pointing.is_discovered as from_discovered,
        pointing.members as from_members,
        pointing.fingerprint as from_fingerprint,
        pointing.value_kind as from_kind,
        pointing.value_count as from_value_count,
        pointing.distinct_count as from_distinct_count,
        pointing.text_length as from_text_length,
        pointing.is_unique as from_is_unique,
        pointing.is_unique and pointing.position = 1 as from_is_first,
        -- The table's own key; one that is named after another table may yet point to that one: `has_pets.pet_id`.
        pointing.is_unique
        and pointing.home_rank >= 1
        and not (keys.home_rank > pointing.home_rank and pointing.key_stem = keys.key_stem) as from_is_main,
        keys.database_name as to_database,
        keys.schema_name as to_schema,
        keys.table_name as to_table,
        keys.column_path as to_path,
        keys.value_kind as to_kind,
        keys.members as to_members,
        keys.fingerprint as to_fingerprint,
        keys.value_count as to_value_count,
        keys.distinct_count as to_distinct_count,
        case when pointing.value_kind = 'integer' or keys.value_kind = 'integer' then keys.key_density end as to_density,
        keys.home_rank > 0 as to_is_home,
        keys.is_main as to_is_main,
        {{ name_rule }} as name_rule,
        {{ name_weight }} as name_weight,
        -- How far the values reach up the key's range: 1 where the largest is the key's largest.
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
            -- A few values may lie outside of what was true when the key was read; most must lie inside.
            and coalesce(pointing.min_number <= keys.max_number and pointing.max_number >= keys.min_number, true)
            -- Texts of other lengths, or that come before or after all of the key's, are none of its texts.
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
