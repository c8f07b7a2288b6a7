{#- The columns that the dbt project describes: schema_name, table_name, column_path, all lower-cased, and description. -#}
{% macro documented_columns() -%}
    {%- set rows = [] -%}
    {%- for node in linker.project_graph().tables.values() -%}
        {%- for column in (node.columns or {}).values() if column.description -%}
            {%- do rows.append([
                linker.literal(node.schema | lower),
                linker.literal(linker.table_of_node(node) | lower),
                linker.literal(column.name | lower),
                linker.literal(linker.clean_text(column.description)),
            ]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(linker._one_description_each(['schema_name', 'table_name', 'column_path'], rows)) }}
{%- endmacro %}

{#- The tables that the dbt project describes: schema_name, table_name, both lower-cased, and description. -#}
{% macro documented_tables() -%}
    {%- set rows = [] -%}
    {%- for node in linker.project_graph().tables.values() if node.description -%}
        {%- do rows.append([
            linker.literal(node.schema | lower),
            linker.literal(linker.table_of_node(node) | lower),
            linker.literal(linker.clean_text(node.description)),
        ]) -%}
    {%- endfor -%}
    {{ return(linker._one_description_each(['schema_name', 'table_name'], rows)) }}
{%- endmacro %}

{#- A table may be a model and a source: its words count once. -#}
{% macro _one_description_each(names, rows) -%}
    {%- set key = names | join(', ') -%}
    {{ return(
        'select ' ~ key ~ ', max(description) as description from ('
        ~ linker.rows_or_none(names + ['description'], rows) ~ ') as described group by ' ~ key
    ) }}
{%- endmacro %}
