{#-
    The head of a query over pairs of a column and a key that it may point to, both of linker_join_columns with a number, their
    place by name; conditions on `pointing` and `keys` follow. The pairs of a warehouse grow with its square, and are ordered
    before most of them go, so they hold the numbers of their columns and no text of them.
-#}
{% macro join_pair(pointing, keys, name_rule, name_weight) %}
    select
        pointing.column_number as from_number,
        keys.column_number as to_number,
        pointing.schema_name = keys.schema_name as is_same_schema,
        -- The table's own key; one that is named after another table may yet point to that one: `has_pets.pet_id`.
        pointing.is_unique
        and pointing.home_rank >= 1
        and not (keys.home_rank > pointing.home_rank and pointing.key_stem = keys.key_stem) as from_is_main,
        keys.home_rank > 0 as to_is_home,
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
