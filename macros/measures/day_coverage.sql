{#- The share of the days from the first quantile to the last that have a value. -#}
{% macro day_coverage(day_count, quantiles) -%}
    {%- set first = 'floor(' ~ linker.list_number(quantiles, 0) ~ ' / 86400)' -%}
    {%- set last = 'floor(' ~ linker.list_number(quantiles, 20) ~ ' / 86400)' -%}
    {{ return(
        'case when ' ~ day_count ~ ' is not null then cast(' ~ day_count ~ ' as ' ~ linker.double_type() ~ ') / ('
        ~ last ~ ' - ' ~ first ~ ' + 1) end'
    ) }}
{%- endmacro %}
