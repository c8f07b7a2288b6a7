{#- A value as text: dates as 2025-01-31, timestamps as 2025-01-31 08:15:00, booleans as true and false. -#}
{% macro as_text(expression, kind) -%}
    {{ return(adapter.dispatch('as_text', 'linker')(expression, kind)) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/data_types/timestamp, https://www.postgresql.org/docs/current/functions-formatting.html -#}
{% macro default__as_text(expression, kind) -%}
    {{ return('cast(' ~ expression ~ ' as ' ~ dbt.type_string() ~ ')') }}
{%- endmacro %}

{#- An array's own text is not JSON. https://www.postgresql.org/docs/current/functions-json.html -#}
{% macro postgres__as_text(expression, kind) -%}
    {{ return('cast(' ~ ('to_jsonb(' ~ expression ~ ')' if kind == 'list' else expression) ~ ' as text)') }}
{%- endmacro %}

{#- The session's formats would decide otherwise. https://docs.snowflake.com/en/sql-reference/functions/to_char -#}
{% macro snowflake__as_text(expression, kind) -%}
    {%- if kind == 'date' -%}
        {{ return('to_char(' ~ expression ~ ", 'YYYY-MM-DD')") }}
    {%- elif kind == 'timestamp' -%}
        {{ return(linker.regex_replace(
            'to_char(cast(' ~ expression ~ " as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6')", '[.]?0*$', ''
        )) }}
    {%- elif kind in ['json', 'list'] -%}
        {{ return('to_json(' ~ expression ~ ')') }}
    {%- endif -%}
    {{ return('cast(' ~ expression ~ ' as varchar)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast_as_string
    https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#format_string -#}
{% macro bigquery__as_text(expression, kind) -%}
    {%- if kind == 'json' -%}
        {{ return('to_json_string(' ~ expression ~ ')') }}
    {%- elif kind == 'other' -%}
        {{ return("format('%t', " ~ expression ~ ')') }}
    {%- endif -%}
    {{ return('cast(' ~ expression ~ ' as string)') }}
{%- endmacro %}
