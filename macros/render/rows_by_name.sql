{#- Rows of a query as dicts by the name of the column in lower case: Snowflake answers in upper case.
    https://docs.snowflake.com/en/sql-reference/identifiers-syntax#unquoted-identifiers -#}
{% macro rows_by_name(query) -%}
    {%- set rows = [] -%}
    {%- for row in run_query(query).rows -%}
        {%- set named = {} -%}
        {%- for name, value in row.dict().items() -%}
            {%- do named.update({name | lower: value}) -%}
        {%- endfor -%}
        {%- do rows.append(named) -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}
