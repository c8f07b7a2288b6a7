{#-
    What a column may mean by its name: all of it, or what is left without its first words, which then are a role:
    `billing_customer_id`, `customer_id`. All columns of `columns` (of linker_join_columns), and
    called       the name
    called_kind  'name', or 'stem' without what says that it is a key
    dropped      how many words were left out
-#}
{% macro join_pointing_names(columns) -%}
    {%- for words, kind in [('words', 'name'), ('stem', 'stem')] %}
    select *, {{ words }} as called, '{{ kind }}' as called_kind, 0 as dropped
    from {{ columns }}
    where {{ words }} <> ''

    union all

    select *, {{ linker.regex_extract(words, '^[^_]+_(.+)$') }}, '{{ kind }}', 1
    from {{ columns }}

    union all

    select *, {{ linker.regex_extract(words, '^[^_]+_[^_]+_(.+)$') }}, '{{ kind }}', 2
    from {{ columns }}
    {{ 'union all' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
