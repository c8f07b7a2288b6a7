{#- The shortest text or binary value, and the shortest list. -#}
{% macro min_length(column) -%}
    {%- if column.value_kind in ['text', 'binary', 'list'] -%}
        {{ return('min(' ~ linker.value_length(linker.as_written(column), column.value_kind) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
