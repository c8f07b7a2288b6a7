{#-
    Puts models of models/agents into the schema AGENTS, as its specification requires, and all others into the configured
    schema, whatever the project's own macros of these names return; and a `+schema` for all `models:` of a project, which
    also applies to packages, would put profile tables among marts.
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
