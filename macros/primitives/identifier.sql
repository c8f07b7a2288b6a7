{#- A name, quoted: safe for any content, and in the case that the catalogue spells. -#}
{% macro identifier(name) -%}
    {{ return(adapter.dispatch('identifier', 'linker')(name)) }}
{%- endmacro %}

{#- A quote is doubled, and nothing else is special.
    https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers
    https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
    https://docs.snowflake.com/en/sql-reference/identifiers-syntax#double-quoted-identifiers -#}
{% macro default__identifier(name) -%}
    {{ return('"' ~ name.replace('"', '""') ~ '"') }}
{%- endmacro %}

{#- Backticks, with the escape sequences of strings.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_identifiers -#}
{% macro bigquery__identifier(name) -%}
    {{ return('`' ~ name.replace('\\', '\\\\').replace('`', '\\`').replace('\n', '\\n') ~ '`') }}
{%- endmacro %}
