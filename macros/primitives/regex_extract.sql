{#- The first group of a pattern in a text; null where the pattern does not match. -#}
{% macro regex_extract(expression, pattern) -%}
    {{ return(adapter.dispatch('regex_extract', 'linker')(expression, pattern)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-matching.html: substring returns the first group, or null. -#}
{% macro default__regex_extract(expression, pattern) -%}
    {{ return('substring(' ~ expression ~ ' from ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}

{#- DuckDB answers '' where nothing matches, and no pattern here matches ''.
    https://duckdb.org/docs/stable/sql/functions/text#regexp_extractstring-regex-group -#}
{% macro duckdb__regex_extract(expression, pattern) -%}
    {{ return('nullif(regexp_extract(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ", 1), '')") }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/regexp_substr: 'e' extracts the group. -#}
{% macro snowflake__regex_extract(expression, pattern) -%}
    {{ return('regexp_substr(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ", 1, 1, 'e', 1)") }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_extract -#}
{% macro bigquery__regex_extract(expression, pattern) -%}
    {{ return('regexp_extract(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}
