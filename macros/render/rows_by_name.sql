{#- Rows of a query as dicts by the name of the column in lower case: Snowflake answers in upper case.
    https://docs.snowflake.com/en/sql-reference/identifiers-syntax#unquoted-identifiers -#}
{% macro rows_by_name(query) -%}
    {%- set found = run_query(query) -%}
    {%- set names = found.column_names | map('lower') | list -%}
    {%- set rows = [] -%}
    {%- for row in found.rows -%}
        {%- do rows.append(dict(zip(names, row.values()))) -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}
