{#- The condition that two relations speak of the same pair in the same state of its tables. -#}
{% macro same_join(one, other) -%}
    {%- for name in linker.join_measure_columns()[:10] -%}
    {{ one }}.{{ name }} = {{ other }}.{{ name }}{{ ' and ' if not loop.last }}
    {%- endfor -%}
{%- endmacro %}
