{#- The keys that dbt tests: `relationships`, with the column and the field that it names. In the form of `declared_keys`. -#}
{% macro tested_keys() -%}
    {%- set rows = [] -%}
    {%- set project = linker.project_graph() -%}
    {%- for test in project.tests if test.test_metadata.name == 'relationships' -%}
        {%- set arguments = test.test_metadata.kwargs -%}
        {%- set pointing = linker._tested_table(project, arguments.get('model', ''), test) -%}
        {%- set pointed = linker._tested_table(project, arguments.get('to', ''), test) -%}
        {%- if pointing and pointed and arguments.get('column_name') and arguments.get('field') -%}
            {%- do rows.append([
                linker.literal(test.unique_id),
                linker.literal(pointing.schema),
                linker.literal(linker.table_of_node(pointing)),
                linker.literal(arguments['column_name']),
                linker.literal(pointed.schema),
                linker.literal(linker.table_of_node(pointed)),
                linker.literal(arguments['field']),
                1,
            ]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(linker.key_rows(rows)) }}
{%- endmacro %}

{#- The table that `ref('x')` or `source('x', 'y')` in a test's argument stands for; none where it is unknown. -#}
{% macro _tested_table(project, expression, test) -%}
    {%- set names = modules.re.findall('[\'"]([^\'"]+)[\'"]', modules.re.sub('version *=.*', '', expression)) -%}
    {%- for unique_id in test.depends_on.nodes -%}
        {%- set node = project.tables.get(unique_id) -%}
        {%- if node and names and node.name == names[-1] and (
            'source(' not in expression or node.get('source_name') == names[0]
        ) -%}
            {{ return(node) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}
