{#- The columns that the dbt project describes: schema_name, table_name, column_path, all lower-cased, and description. -#}
{% macro documented_columns() -%}
    {%- set rows = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() if node.resource_type in ['model', 'seed', 'snapshot'] and node.package_name != 'linker' -%}
            {%- do linker._add_descriptions(rows, node, node.alias or node.name) -%}
        {%- endfor -%}
        {%- for source in graph.sources.values() -%}
            {%- do linker._add_descriptions(rows, source, source.identifier) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set names = ['schema_name', 'table_name', 'column_path', 'description'] -%}
    {%- if not rows -%}
        {%- set nothing = 'cast(null as ' ~ dbt.type_string() ~ ')' -%}
        {{ return('select * from (' ~ linker.inline_rows(names, [[nothing, nothing, nothing, nothing]]) ~ ') as nobody where 1 = 0') }}
    {%- endif -%}
    {#- A table may be a model and a source: its words count once. -#}
    {{ return(
        'select schema_name, table_name, column_path, max(description) as description from ('
        ~ linker.inline_rows(names, rows) ~ ') as described group by schema_name, table_name, column_path'
    ) }}
{%- endmacro %}

{% macro _add_descriptions(rows, node, identifier) -%}
    {%- for column in (node.columns or {}).values() if column.description -%}
        {%- do rows.append([
            linker.literal(node.schema | lower),
            linker.literal(identifier | lower),
            linker.literal(column.name | lower),
            linker.literal(linker.clean_text(column.description)),
        ]) -%}
    {%- endfor -%}
{%- endmacro %}
