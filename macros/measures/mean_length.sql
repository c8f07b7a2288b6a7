{#- The mean length. -#}
{% macro mean_length(column) -%}
    {%- if column.value_kind in ['text', 'binary', 'list'] -%}
        {{ return('avg(' ~ linker.value_length(linker.as_written(column), column.value_kind) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
