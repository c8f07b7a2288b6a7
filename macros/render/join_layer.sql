{#- The layer that a table says it is of: `stg` of `stg_customers`; null where it says none. -#}
{% macro join_layer(table_name) -%}
    {{ return(linker.regex_extract(linker.join_words(table_name), linker._layers())) }}
{%- endmacro %}

{% macro _layers() -%}
    {{ return('^(dim|fct|fact|lkp|lookup|lu|ref|tbl|tab|t|d|f|stg|src|raw)_') }}
{%- endmacro %}
