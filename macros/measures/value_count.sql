{#- The values that are not null. -#}
{% macro value_count(column) -%}
    {{ return('count(' ~ column.value ~ ')') }}
{%- endmacro %}
