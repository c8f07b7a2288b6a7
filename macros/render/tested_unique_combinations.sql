{#-
    The columns that a dbt test says are unique together, one row a column: test_name, schema_name, table_name, column_name,
    lower-cased. The tests are those of dbt_utils and dbt_expectations, or of the same name.
    https://github.com/dbt-labs/dbt-utils#unique_combination_of_columns-source
    https://github.com/metaplane/dbt-expectations#expect_compound_columns_to_be_unique
-#}
{% macro tested_unique_combinations() -%}
    {%- set arguments = {
        'unique_combination_of_columns': 'combination_of_columns',
        'expect_compound_columns_to_be_unique': 'column_list',
    } -%}
    {%- set rows = [] -%}
    {%- set project = linker.project_graph() -%}
    {%- for test in project.tests if test.depends_on.nodes -%}
        {%- set columns = test.test_metadata.kwargs.get(arguments.get(test.test_metadata.name, '')) or [] -%}
        {%- set node = project.tables.get(test.depends_on.nodes[0]) -%}
        {%- if node -%}
            {%- for column in columns -%}
                {%- do rows.append([
                    linker.literal(test.unique_id),
                    linker.literal(node.schema | lower),
                    linker.literal(linker.table_of_node(node) | lower),
                    linker.literal(column.strip('"`') | lower),
                ]) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(linker.rows_or_none(['test_name', 'schema_name', 'table_name', 'column_name'], rows)) }}
{%- endmacro %}
