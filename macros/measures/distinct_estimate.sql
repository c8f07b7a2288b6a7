{#- The warehouse's own estimate of the distinct values; it is asked for one only where the sample does not hold every row. -#}
{% macro distinct_estimate(column) -%}
    {%- if column.value_kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time'] -%}
        {{ return(linker.approx_distinct(column.value)) }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
