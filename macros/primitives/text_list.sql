{#- All texts of a group, in order, as one JSON array of strings. -#}
{% macro text_list(expression, order_by) -%}
    {{ return(adapter.dispatch('text_list', 'linker')(expression, order_by)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-aggregate.html -#}
{% macro default__text_list(expression, order_by) -%}
    {{ return('cast(json_agg(' ~ expression ~ ' order by ' ~ order_by ~ ') as text)') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/data/json/json_functions -#}
{% macro duckdb__text_list(expression, order_by) -%}
    {{ return('cast(to_json(list(' ~ expression ~ ' order by ' ~ order_by ~ ')) as varchar)') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/array_agg -#}
{% macro snowflake__text_list(expression, order_by) -%}
    {{ return('to_json(array_agg(' ~ expression ~ ') within group (order by ' ~ order_by ~ '))') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#to_json_string -#}
{% macro bigquery__text_list(expression, order_by) -%}
    {{ return('to_json_string(array_agg(' ~ expression ~ ' order by ' ~ order_by ~ '))') }}
{%- endmacro %}
