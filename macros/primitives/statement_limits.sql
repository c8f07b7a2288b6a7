{#- What a statement may be at most: {bytes} of its text and {columns} of one of its selects; none where nothing limits it. -#}
{% macro statement_limits() -%}
    {{ return(adapter.dispatch('statement_limits', 'linker')()) }}
{%- endmacro %}

{% macro default__statement_limits() -%}
    {{ return({'bytes': none, 'columns': none}) }}
{%- endmacro %}

{#- A select gives 1,664 columns. https://www.postgresql.org/docs/current/limits.html -#}
{% macro postgres__statement_limits() -%}
    {{ return({'bytes': none, 'columns': 1600}) }}
{%- endmacro %}

{#- 1 MB. What dbt writes around a statement has the rest. https://docs.snowflake.com/en/user-guide/query-size-limits -#}
{% macro snowflake__statement_limits() -%}
    {{ return({'bytes': 900000, 'columns': none}) }}
{%- endmacro %}

{#- 1,024K characters, and 10,000 columns of a temporary table. https://cloud.google.com/bigquery/quotas#query_jobs -#}
{% macro bigquery__statement_limits() -%}
    {{ return({'bytes': 900000, 'columns': 9000}) }}
{%- endmacro %}
