{#- A measured smallest or largest value as a number, where the column holds numbers. -#}
{% macro as_number(expression, kind_expression) -%}
    {{ return(
        'case when ' ~ kind_expression ~ " in ('integer', 'number') then " ~ linker.try_cast(expression, 'number') ~ ' end'
    ) }}
{%- endmacro %}
