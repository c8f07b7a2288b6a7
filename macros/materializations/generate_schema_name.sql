{#-
    Where our models lie and what they are called, whatever the macros of these names in a project do with its own models:
    one that puts all of them into one schema would put profile tables among marts.
    https://docs.getdbt.com/docs/build/custom-schemas
-#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ return(var('linker_schema', none) or target.schema ~ '_' ~ (custom_schema_name or 'linker')) }}
{%- endmacro %}

{% macro generate_database_name(custom_database_name=none, node=none) -%}
    {{ return(var('linker_database', none) or custom_database_name or target.database) }}
{%- endmacro %}

{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {{ return(node.name) }}
{%- endmacro %}
