{#- What a table holds, in the singular: `dim_customers` and `lkp_customer` hold a `customer`. -#}
{% macro join_entity(table_name) -%}
    {%- set bare = linker.regex_replace(linker.join_words(table_name), linker._layers(), '') -%}
    {{ return(linker.join_singular(linker.regex_replace(bare, '_(dim|fact|lookup|lkp|ref|tbl)$', ''))) }}
{%- endmacro %}
