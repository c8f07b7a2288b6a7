{#- Rows of a query as dicts by the name of the column in lower case, in the order of some of its columns: Snowflake answers
    in upper case. https://docs.snowflake.com/en/sql-reference/identifiers-syntax#unquoted-identifiers -#}
{% macro rows_by_name(query, order_by) -%}
    {%- set as_json = linker.rows_as_json(query, order_by) -%}
    {%- if as_json is not none -%}
        {{ return(fromjson(run_query(as_json).rows[0][0])) }}
    {%- endif -%}
    {%- set found = run_query('select * from (\n' ~ query ~ '\n) as found order by ' ~ order_by | join(', ')) -%}
    {%- set names = found.column_names | map('lower') | list -%}
    {%- set rows = [] -%}
    {%- for row in found.rows -%}
        {%- do rows.append(dict(zip(names, row.values()))) -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}
