{#- The longest. -#}
{% macro max_length(column) -%}
    {%- if column.value_kind in ['text', 'binary', 'list'] -%}
        {{ return('max(' ~ linker.value_length(linker.as_written(column), column.value_kind) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
