{#- The warehouse's own estimate of the distinct values, in one pass; null where it has none. -#}
{% macro approx_distinct(expression) -%}
    {{ return(adapter.dispatch('approx_distinct', 'linker')(expression)) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/aggregates#approximate-aggregates
    https://docs.snowflake.com/en/sql-reference/functions/approx_count_distinct
    https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions#approx_count_distinct -#}
{% macro default__approx_distinct(expression) -%}
    {{ return('approx_count_distinct(' ~ expression ~ ')') }}
{%- endmacro %}

{#- Postgres has no sketch: the scan estimates from its sample (`estimated_distinct`). -#}
{% macro postgres__approx_distinct(expression) -%}
    {{ return(none) }}
{%- endmacro %}
