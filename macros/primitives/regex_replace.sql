{#- A text with every match of a pattern replaced; `\1` stands for the first group. Patterns as for `regex_matches`. -#}
{% macro regex_replace(expression, pattern, replacement) -%}
    {{ return(adapter.dispatch('regex_replace', 'linker')(expression, pattern, replacement)) }}
{%- endmacro %}

{#- Without 'g' only the first match is replaced; the collation is named as in `regex_matches`.
    https://www.postgresql.org/docs/current/functions-matching.html#FUNCTIONS-POSIX-REGEXP -#}
{% macro default__regex_replace(expression, pattern, replacement) -%}
    {{ return(
        'regexp_replace((' ~ expression ~ ') collate "C", ' ~ linker.literal(pattern) ~ ', '
        ~ linker.literal(replacement) ~ ", 'g')"
    ) }}
{%- endmacro %}

{#- Without 'g' only the first match is replaced.
    https://duckdb.org/docs/stable/sql/functions/regular_expressions#regexp_replacestring-pattern-replacement-options -#}
{% macro duckdb__regex_replace(expression, pattern, replacement) -%}
    {{ return(
        'regexp_replace(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ', ' ~ linker.literal(replacement) ~ ", 'g')"
    ) }}
{%- endmacro %}

{#- Replaces every match by itself. https://docs.snowflake.com/en/sql-reference/functions/regexp_replace -#}
{% macro snowflake__regex_replace(expression, pattern, replacement) -%}
    {{ return(
        'regexp_replace(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ', ' ~ linker.literal(replacement) ~ ')'
    ) }}
{%- endmacro %}

{#- Replaces every match by itself.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_replace -#}
{% macro bigquery__regex_replace(expression, pattern, replacement) -%}
    {{ return(
        'regexp_replace(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ', ' ~ linker.literal(replacement) ~ ')'
    ) }}
{%- endmacro %}
