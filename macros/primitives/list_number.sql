{#- The number at a place, counted from 0, of a list as `number_list` reads it. -#}
{% macro list_number(expression, place) -%}
    {{ return(adapter.dispatch('list_number', 'linker')(expression, place)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-json.html -#}
{% macro default__list_number(expression, place) -%}
    {{ return('cast(cast(' ~ expression ~ ' as json) ->> ' ~ place ~ ' as double precision)') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/data_types/list#retrieving-from-lists: places are counted from 1. -#}
{% macro duckdb__list_number(expression, place) -%}
    {{ return(expression ~ '[' ~ (place + 1) ~ ']') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/get -#}
{% macro snowflake__list_number(expression, place) -%}
    {{ return('cast(get(parse_json(' ~ expression ~ '), ' ~ place ~ ') as double)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_value -#}
{% macro bigquery__list_number(expression, place) -%}
    {{ return('cast(json_value(' ~ expression ~ ", '$[" ~ place ~ "]') as float64)") }}
{%- endmacro %}
