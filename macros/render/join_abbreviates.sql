{#- The condition that a name is short for another (`cust`, `emp`, `dept`): its letters in their order, the first two at its start. -#}
{% macro join_abbreviates(short, long) -%}
    {{ return(
        '(left(' ~ short ~ ', 2) = left(' ~ long ~ ', 2) and ' ~ long ~ ' like ' ~ linker.regex_replace(short, '([a-z0-9])', '\\1%')
        ~ ' and length(' ~ short ~ ') between 2 and 0.8 * length(' ~ long ~ '))'
    ) }}
{%- endmacro %}
