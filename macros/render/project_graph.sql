{#- Metadata of the dbt project's tables. -#}

{#-
    Metadata of the user's dbt project: {tables: {unique id: node}, tests: [node], joins: [join]}, from this run's
    graph, or as read by `linker refresh` from the manifest and from Apache Ossie documents; `joins` come from the
    latter only.
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
    {{ return({'tables': tables, 'tests': tests, 'joins': passed.get('joins', [])}) }}
{%- endmacro %}

{#- The warehouse name of a node that is a table. -#}
{% macro table_of_node(node) -%}
    {{ return(node.get('identifier') or node.get('alias') or node.name) }}
{%- endmacro %}

{#-
    Descriptions of columns or tables in the dbt project: schema_name, table_name, for columns column_path, all in
    lower case, and description.
-#}
{% macro project_descriptions(of_columns) -%}
    {%- set rows = [] -%}
    {%- for node in linker.project_graph().tables.values() -%}
        {%- for described in ((node.columns or {}).values() if of_columns else [node]) if described.description -%}
            {%- set place = [node.schema, linker.table_of_node(node)] + ([described.name] if of_columns else []) -%}
            {%- set row = [] -%}
            {%- for name in place -%}
                {%- do row.append(linker.literal(name | lower)) -%}
            {%- endfor -%}
            {%- do rows.append(row + [linker.literal(linker.clean_comment(described.description, is_sql=false))]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set key = ['schema_name', 'table_name'] + (['column_path'] if of_columns else []) -%}
    {#- A table may be a model and a source: its description counts once. -#}
    {{ return(
        'select ' ~ key | join(', ') ~ ', max(description) as description from ('
        ~ linker.rows_or_none(key + ['description'], rows) ~ ') as described group by ' ~ key | join(', ')
    ) }}
{%- endmacro %}
