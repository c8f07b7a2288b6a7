{#- The keys that dbt tests: `relationships`, with the column and the field that it names. In the form of `declared_keys`. -#}
{% macro tested_keys() -%}
    {%- set rows = [] -%}
    {%- set nodes = graph.nodes.values() if execute else [] -%}
    {%- for test in nodes if test.resource_type == 'test' and test.get('test_metadata') -%}
        {%- if test.test_metadata.name == 'relationships' -%}
            {%- set arguments = test.test_metadata.kwargs -%}
            {%- set pointing = linker._tested_node(arguments.get('model', ''), test) -%}
            {%- set pointed = linker._tested_node(arguments.get('to', ''), test) -%}
            {%- if pointing and pointed and arguments.get('column_name') and arguments.get('field') -%}
                {%- do rows.append([
                    linker.literal(test.unique_id),
                    linker.literal(pointing.schema), linker.literal(pointing.name), linker.literal(arguments['column_name']),
                    linker.literal(pointed.schema), linker.literal(pointed.name), linker.literal(arguments['field']),
                    1,
                ]) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(linker.key_rows(rows)) }}
{%- endmacro %}

{#- The relation that `ref('x')` or `source('x', 'y')` in a test's argument stands for: {schema, name}; none where it is unknown. -#}
{% macro _tested_node(expression, test) -%}
    {%- set names = modules.re.findall('[\'"]([^\'"]+)[\'"]', modules.re.sub('version *=.*', '', expression)) -%}
    {%- for unique_id in test.depends_on.nodes -%}
        {%- set node = graph.nodes.get(unique_id) or graph.sources.get(unique_id) -%}
        {%- if node and names and node.name == names[-1] and (
            'source(' not in expression or node.get('source_name') == names[0]
        ) -%}
            {{ return({'schema': node.schema, 'name': node.get('alias') or node.get('identifier') or node.name}) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}
