{#- How many lanes scan side by side: at most 8, and no more than dbt has threads. -#}
{% macro lane_count() -%}
    {{ return([adapter.dispatch('lane_count', 'linker')(), target.threads or 1, 8] | min) }}
{%- endmacro %}

{% macro default__lane_count() -%}
    {{ return(8) }}
{%- endmacro %}

{#- One statement uses all cores, and there is one writer. https://duckdb.org/docs/stable/connect/concurrency -#}
{% macro duckdb__lane_count() -%}
    {{ return(1) }}
{%- endmacro %}
