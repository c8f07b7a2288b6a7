{#- The relation of one of the package's models: by `ref` in a model, by name in operations and hooks, which lack `ref`. -#}
{% macro artifact(name) -%}
    {%- if model is defined and model.resource_type | string == 'model' -%}
        {{ return(ref(name)) }}
    {%- endif -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.package_name == 'linker' and node.name == name -%}
        {{ return(api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias, type='table')) }}
    {%- endfor -%}
{%- endmacro %}

{#- All relations that a run creates, without the published views. -#}
{% macro artifacts() -%}
    {%- set relations = [] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.package_name == 'linker' and node.schema != 'agents' -%}
        {%- do relations.append(
            api.Relation.create(database=node.database, schema=node.schema, identifier=node.alias, type='table')
        ) -%}
    {%- endfor -%}
    {{ return(relations) }}
{%- endmacro %}
