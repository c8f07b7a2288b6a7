{#- What follows a relation in `from` so that each element of a list in its rows becomes a row, with the column `element`. -#}
{% macro unnest_list(elements) -%}
    {{ return(adapter.dispatch('unnest_list', 'linker')(elements)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-array.html, https://duckdb.org/docs/stable/sql/query_syntax/unnest -#}
{% macro default__unnest_list(elements) -%}
    {{ return('cross join unnest(' ~ elements ~ ') as elements (element)') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/flatten -#}
{% macro snowflake__unnest_list(elements) -%}
    {{ return('cross join lateral (select value as element from table(flatten(input => ' ~ elements ~ '))) as elements') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#unnest_operator -#}
{% macro bigquery__unnest_list(elements) -%}
    {{ return('cross join unnest(' ~ elements ~ ') as element') }}
{%- endmacro %}
