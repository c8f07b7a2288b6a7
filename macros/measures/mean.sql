{#- The mean of the finite numbers. -#}
{% macro mean(column) -%}
    {%- if column.value_kind in ['integer', 'number'] -%}
        {{ return('avg(' ~ linker.bounded(column.value, column.data_type) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
