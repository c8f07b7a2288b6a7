{#- A text's MD5, as 32 hexadecimal digits. -#}
{% macro digest(expression) -%}
    {{ return(adapter.dispatch('digest', 'linker')(expression)) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/text#md5string, https://www.postgresql.org/docs/current/functions-string.html
    https://docs.snowflake.com/en/sql-reference/functions/md5 -#}
{% macro default__digest(expression) -%}
    {{ return('md5(' ~ expression ~ ')') }}
{%- endmacro %}

{#- Gives bytes. https://cloud.google.com/bigquery/docs/reference/standard-sql/hash_functions#md5 -#}
{% macro bigquery__digest(expression) -%}
    {{ return('to_hex(md5(' ~ expression ~ '))') }}
{%- endmacro %}
