{#- Quotes identifiers and texts. -#}

{#-
    A quoted name: safe for any content, in the catalogue's case. Dispatched separately, as is `literal`, since a run calls each
    thousands of times.
-#}
{% macro identifier(name) -%}
    {{ return(adapter.dispatch('identifier', 'linker')(name)) }}
{%- endmacro %}

{#-
    Quotes are doubled; no other character is special.
    https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers
    https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
    https://docs.snowflake.com/en/sql-reference/identifiers-syntax#double-quoted-identifiers
-#}
{% macro default__identifier(name) -%}
    {{ return('"' ~ name.replace('"', '""') ~ '"') }}
{%- endmacro %}

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
