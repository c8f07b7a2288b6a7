{#- The word that makes a common table expression be worked out once; empty where the warehouse has none. -#}
{% macro materialized() -%}
    {{ return(adapter.dispatch('materialized', 'linker')()) }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/user-guide/queries-cte and
    https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#with_clause: there is no such word. -#}
{% macro default__materialized() -%}
    {{ return('') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/query_syntax/with#cte-materialization -#}
{% macro duckdb__materialized() -%}
    {{ return('materialized ') }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/queries-with.html#QUERIES-WITH-CTE-MATERIALIZATION -#}
{% macro postgres__materialized() -%}
    {{ return('materialized ') }}
{%- endmacro %}
