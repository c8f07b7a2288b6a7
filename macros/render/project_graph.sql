{#-
    What the user's dbt project says of its tables: {tables: {unique id: node}, tests: [node]}. They are those of this run,
    and those that `linker refresh`, which runs this package on its own, read from the manifest.
-#}
{% macro project_graph() -%}
    {%- set tables, tests = {}, [] -%}
    {%- set passed = fromjson(var('project', none) or '{}') -%}
    {%- if execute -%}
        {%- for id, node in graph.get('nodes', {}).items() if not (node.package_name == 'linker' and node.name.startswith('linker_')) -%}
            {%- if node.resource_type in ['model', 'seed', 'snapshot'] and node.config.materialized != 'ephemeral' -%}
                {%- do tables.update({id: node}) -%}
            {%- elif node.resource_type == 'test' and node.get('test_metadata') -%}
                {%- do tests.append(node) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do tables.update(graph.get('sources', {})) -%}
        {%- do tables.update(passed.get('tables', {})) -%}
        {%- do tests.extend(passed.get('tests', [])) -%}
    {%- endif -%}
    {{ return({'tables': tables, 'tests': tests}) }}
{%- endmacro %}

{#- The name in the warehouse of a node that is a table. -#}
{% macro table_of_node(node) -%}
    {{ return(node.get('identifier') or node.get('alias') or node.name) }}
{%- endmacro %}
