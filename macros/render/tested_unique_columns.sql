{#- The columns that a dbt test says are unique: schema_name, table_name, column_name, all lower-cased. -#}
{% macro tested_unique_columns() -%}
    {%- set rows = [] -%}
    {%- set project = linker.project_graph() -%}
    {%- for test in project.tests if test.test_metadata.name == 'unique' and test.column_name and test.depends_on.nodes -%}
        {%- set node = project.tables.get(test.depends_on.nodes[0]) -%}
        {%- if node -%}
            {%- do rows.append([
                linker.literal(node.schema | lower),
                linker.literal(linker.table_of_node(node) | lower),
                linker.literal(test.column_name | lower),
            ]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows)) }}
{%- endmacro %}
