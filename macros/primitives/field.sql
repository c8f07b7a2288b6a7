{#- A field of a struct. -#}
{% macro field(expression, name) -%}
    {{ return(adapter.dispatch('field', 'linker')(expression, name)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-ACCESSING -#}
{% macro default__field(expression, name) -%}
    {{ return('(' ~ expression ~ ').' ~ linker.identifier(name)) }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/struct#struct_extractstruct-entry -#}
{% macro duckdb__field(expression, name) -%}
    {{ return('struct_extract(' ~ expression ~ ', ' ~ linker.literal(name) ~ ')') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/user-guide/querying-semistructured -#}
{% macro snowflake__field(expression, name) -%}
    {{ return('get(' ~ expression ~ ', ' ~ linker.literal(name) ~ ')') }}
{%- endmacro %}
