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

{#- 'e' extracts the group. https://docs.snowflake.com/en/sql-reference/functions/regexp_substr
    Patterns are those of POSIX, in which every group captures: the one that is asked for opens first.
    https://docs.snowflake.com/en/sql-reference/functions-regexp#general-usage-notes -#}
{% macro snowflake__regex_extract(expression, pattern) -%}
    {{ return('regexp_substr(' ~ expression ~ ', ' ~ linker.literal(pattern.replace('(?:', '(')) ~ ", 1, 1, 'e', 1)") }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_extract -#}
{% macro bigquery__regex_extract(expression, pattern) -%}
    {{ return('regexp_extract(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}
