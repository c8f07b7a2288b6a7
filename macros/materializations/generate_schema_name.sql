{#-
    Puts the models of models/agents into the schema AGENTS, as its specification requires. For the others:
    Where our models lie and what they are called, whatever a project says of its own models: a macro of these names there, or
    `+schema` over all of its `models:`, which holds for packages too, would put profile tables among marts.
    https://docs.getdbt.com/docs/build/custom-schemas
-#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- if node is not none and node.name in linker.agents_names() -%}
        {{ return('agents') }}
    {%- endif -%}
    {{ return(var('linker_schema', none) or target.schema ~ '_linker') }}
{%- endmacro %}

{% macro generate_database_name(custom_database_name=none, node=none) -%}
    {{ return(var('linker_database', none) or target.database or none) }}
{%- endmacro %}

{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {{ return(linker.agents_names().get(node.name, node.name)) }}
{%- endmacro %}
