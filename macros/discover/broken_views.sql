{#-
    The views that name what is gone: schema_name, table_name, message, as `linker profile` found them before it read a row.
    Their error is recorded, and nothing of them is read.
-#}
{% macro broken_views() -%}
    {%- set rows = [] -%}
    {%- for view in var('broken', []) -%}
        {%- do rows.append([linker.literal(view[0]), linker.literal(view[1]), linker.literal(view[2])]) -%}
    {%- endfor -%}
    {{ return(linker.rows_or_none(['schema_name', 'table_name', 'message'], rows)) }}
{%- endmacro %}
