{#- All texts of a group, in order, as one JSON array of strings. -#}
{% macro text_list(expression, order_by) -%}
    {{ return(adapter.dispatch('text_list', 'linker')(expression, order_by)) }}
{%- endmacro %}

{#- Not json_agg, which puts spaces between the elements. https://www.postgresql.org/docs/current/functions-json.html -#}
{% macro default__text_list(expression, order_by) -%}
    {{ return(
        "'[' || string_agg(coalesce(cast(to_json(" ~ expression ~ ") as text), 'null'), ',' order by " ~ order_by ~ ") || ']'"
    ) }}
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
