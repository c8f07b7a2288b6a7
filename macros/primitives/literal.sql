{#- A text as a string literal, safe for any content. none becomes null. -#}
{% macro literal(content) -%}
    {{ return(adapter.dispatch('literal', 'linker')(content)) }}
{%- endmacro %}

{% macro default__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {{ return("'" ~ (content | string).replace("'", "''") ~ "'") }}
{%- endmacro %}

{#- A backslash escapes in BigQuery's and Snowflake's strings.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#string_and_bytes_literals
    https://docs.snowflake.com/en/sql-reference/data-types-text#escape-sequences-in-single-quoted-string-constants -#}
{% macro bigquery__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {{ return("'" ~ (content | string).replace('\\', '\\\\').replace("'", "\\'").replace('\n', '\\n') ~ "'") }}
{%- endmacro %}

{% macro snowflake__literal(content) -%}
    {%- if content is none -%}
        {{ return('null') }}
    {%- endif -%}
    {{ return("'" ~ (content | string).replace('\\', '\\\\').replace("'", "''") ~ "'") }}
{%- endmacro %}
