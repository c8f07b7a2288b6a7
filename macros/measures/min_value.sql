{#- The smallest value. A floating-point number counts where it is finite. -#}
{% macro min_value(column) -%}
    {%- if column.value_kind in ['integer', 'number', 'text', 'date', 'timestamp', 'time', 'interval'] -%}
        {{ return('min(' ~ linker.comparable(column) ~ ')') }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}
