{#- The columns that a dbt test says are unique: schema_name, table_name, column_name, all lower-cased. -#}
{% macro tested_unique_columns() -%}
    {%- set rows = [] -%}
    {%- if execute -%}
        {%- for test in graph.nodes.values() if test.resource_type == 'test' and test.get('test_metadata') -%}
            {%- if test.test_metadata.name == 'unique' and test.column_name and test.depends_on.nodes -%}
                {%- set node = graph.nodes.get(test.depends_on.nodes[0]) or graph.sources.get(test.depends_on.nodes[0]) -%}
                {%- if node -%}
                    {%- do rows.append([
                        linker.literal(node.schema | lower),
                        linker.literal((node.identifier if node.resource_type == 'source' else node.alias) | lower),
                        linker.literal(test.column_name | lower),
                    ]) -%}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(linker.rows_or_none(['schema_name', 'table_name', 'column_name'], rows)) }}
{%- endmacro %}
