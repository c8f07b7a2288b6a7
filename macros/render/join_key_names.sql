{#-
    What a key may be called where it is pointed to: all columns of `keys` (of linker_join_columns), and
    alias         the name
    alias_kind    'name' where it says that it is a key, 'stem' for the bare name of the thing
    alias_rule    the same in words
    alias_weight  how much a match says, from 0 to 1
    is_of_table   whether the name is that of the table alone
-#}
{% macro join_key_names(keys) -%}
    {%- set common = linker._literals(linker.join_vocabulary('common')) %}
    -- `customer_id`; a name that neither says key nor is the table's own is an attribute as well: `pay_period`.
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

    -- `customers.id` is called `customer_id`.
    select *, entity || '_' || words, 'name', 'name of the table and its key', 0.95, false
    from {{ keys }}
    where words in ({{ common }})

    union all

    -- `sales_customers.id` too.
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

    -- `customer` for the key of `customers`, however that is called, and for the name of one.
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
