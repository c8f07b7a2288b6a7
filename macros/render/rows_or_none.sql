{#- Rows of texts that stand in the statement itself; a select of no row where there are none. -#}
{% macro rows_or_none(column_names, rows) -%}
    {%- if rows -%}
        {{ return(linker.inline_rows(column_names, rows)) }}
    {%- endif -%}
    {%- set nothing = [] -%}
    {%- for name in column_names -%}
        {%- do nothing.append('cast(null as ' ~ dbt.type_string() ~ ') as ' ~ name) -%}
    {%- endfor -%}
    {{ return('select * from (select ' ~ nothing | join(', ') ~ ') as nothing where 1 = 0') }}
{%- endmacro %}
