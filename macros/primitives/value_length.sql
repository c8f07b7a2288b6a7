{#- The length of a value: characters of a text, bytes of a binary, elements of a list. -#}
{% macro value_length(expression, kind) -%}
    {{ return(adapter.dispatch('value_length', 'linker')(expression, kind)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-string.html, https://www.postgresql.org/docs/current/functions-array.html -#}
{% macro default__value_length(expression, kind) -%}
    {%- set functions = {'binary': 'octet_length', 'list': 'cardinality'} -%}
    {{ return(functions.get(kind, 'length') ~ '(' ~ expression ~ ')') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/blob, https://duckdb.org/docs/stable/sql/functions/list#lenlist -#}
{% macro duckdb__value_length(expression, kind) -%}
    {%- set functions = {'binary': 'octet_length', 'list': 'len'} -%}
    {{ return(functions.get(kind, 'length') ~ '(' ~ expression ~ ')') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/length, https://docs.snowflake.com/en/sql-reference/functions/array_size -#}
{% macro snowflake__value_length(expression, kind) -%}
    {{ return(('array_size' if kind == 'list' else 'length') ~ '(' ~ expression ~ ')') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#length: characters or bytes by type -#}
{% macro bigquery__value_length(expression, kind) -%}
    {{ return(('array_length' if kind == 'list' else 'length') ~ '(' ~ expression ~ ')') }}
{%- endmacro %}
