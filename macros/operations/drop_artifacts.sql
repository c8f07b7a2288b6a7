{#-
    Drops the profile tables, and then their schema if empty: to remove the package, or after a plan without an
    earlier schema.
-#}
{% macro drop_artifacts() -%}
    {%- set schema = linker.artifact('linker_plan').without_identifier() -%}
    {#- Keeps what other targets of the project published. -#}
    {%- if var('agents_target', none) in [none, target.name] -%}
        {%- do linker.drop_agents_schema() -%}
    {%- endif -%}
    {%- for relation in linker.artifacts() -%}
        {%- set made = adapter.get_relation(relation.database, relation.schema, relation.identifier) -%}
        {%- if made is not none -%}
            {%- do adapter.drop_relation(made) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set others %}
    select table_name
    from ({{ linker.discover_tables() }}) as tables
    where schema_name = {{ linker.literal(schema.schema) }}
    {%- endset -%}
    {%- if not run_query(others).rows -%}
        {%- do adapter.drop_schema(schema) -%}
    {%- endif -%}
    {%- do linker._commit() -%}
{%- endmacro %}
