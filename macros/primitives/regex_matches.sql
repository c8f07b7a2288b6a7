{#- Whether a pattern is found anywhere in a text; null where the text is null.
    All four warehouses read the same patterns as long as they keep to POSIX: brackets, groups, `|`, `{1,3}`, `^`, `$`;
    no `\b`, no `(?i)`, no look-around, and classes of letters only by `letter_class`. -#}
{% macro regex_matches(expression, pattern) -%}
    {{ return(adapter.dispatch('regex_matches', 'linker')(expression, pattern)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-matching.html#FUNCTIONS-POSIX-REGEXP
    The collation is named since two columns' may contradict each other, and some admit no patterns at all.
    https://www.postgresql.org/docs/current/collation.html#COLLATION-NONDETERMINISTIC -#}
{% macro default__regex_matches(expression, pattern) -%}
    {{ return('((' ~ expression ~ ') collate "C" ~ ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/regular_expressions#regexp_matchesstring-pattern-options:
    finds the pattern anywhere; regexp_full_match is the anchored one. -#}
{% macro duckdb__regex_matches(expression, pattern) -%}
    {{ return('regexp_matches(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/regexp_like: anchored at both ends, so the place is asked for.
    https://docs.snowflake.com/en/sql-reference/functions-regexp#general-usage-notes: POSIX groups only, no `(?:`. -#}
{% macro snowflake__regex_matches(expression, pattern) -%}
    {{ return('(regexp_instr(' ~ expression ~ ', ' ~ linker.literal(pattern.replace('(?:', '(')) ~ ') > 0)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_contains -#}
{% macro bigquery__regex_matches(expression, pattern) -%}
    {{ return('regexp_contains(' ~ expression ~ ', ' ~ linker.literal(pattern) ~ ')') }}
{%- endmacro %}
