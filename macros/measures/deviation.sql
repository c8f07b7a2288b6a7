{#- The standard deviation of the finite numbers. -#}
{% macro deviation(column) -%}
    {%- if column.value_kind in ['integer', 'number'] -%}
        {{ return('stddev_samp(' ~ linker.bounded(column.value, column.data_type) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
