{#- Neighbouring characters inside the brackets of a pattern, by their code points: '2010', '2027' are hyphen to bullet,
    '0141' alone is Ł. Written as escapes where the warehouse reads them: not every database can hold every character. -#}
{% macro character_range(first, last=none) -%}
    {{ return(adapter.dispatch('character_range', 'linker')(first, last)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-matching.html#POSIX-CHARACTER-ENTRY-ESCAPES-TABLE -#}
{% macro default__character_range(first, last) -%}
    {{ return('\\u' ~ first ~ ('-\\u' ~ last if last else '')) }}
{%- endmacro %}

{#- https://github.com/google/re2/wiki/Syntax -#}
{% macro duckdb__character_range(first, last) -%}
    {{ return('\\x{' ~ first ~ '}' ~ ('-\\x{' ~ last ~ '}' if last else '')) }}
{%- endmacro %}

{#- Knows no escape for a code point in a pattern, so the characters themselves stand there.
    https://docs.snowflake.com/en/sql-reference/functions-regexp#general-usage-notes -#}
{% macro snowflake__character_range(first, last) -%}
    {{ return(('\\u' ~ first ~ ('-\\u' ~ last if last else '')).encode('ascii').decode('unicode_escape')) }}
{%- endmacro %}

{#- https://github.com/google/re2/wiki/Syntax -#}
{% macro bigquery__character_range(first, last) -%}
    {{ return('\\x{' ~ first ~ '}' ~ ('-\\x{' ~ last ~ '}' if last else '')) }}
{%- endmacro %}
