{#- The largest value. -#}
{% macro max_value(column) -%}
    {%- if column.value_kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval'] -%}
        {{ return('max(' ~ linker.comparable(column) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
