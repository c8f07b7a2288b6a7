{#- A name as a quoted identifier. Unlike adapter.quote it escapes an embedded quote. -#}
{% macro identifier(name) -%}
    {{ return(adapter.dispatch('identifier', 'linker')(name)) }}
{%- endmacro %}

{% macro default__identifier(name) -%}
    {{ return('"' ~ (name | string).replace('"', '""') ~ '"') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_identifiers -#}
{% macro bigquery__identifier(name) -%}
    {{ return('`' ~ (name | string).replace('\\', '\\\\').replace('`', '\\`') ~ '`') }}
{%- endmacro %}
