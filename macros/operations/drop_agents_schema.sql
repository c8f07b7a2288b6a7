{#-
    Drops our views in the schema AGENTS and our rows of AGENTS.ROOT; then that table and the schema, if empty. Works even if
    the target no longer publishes there.
-#}
{% macro drop_agents_schema() -%}
    {%- set database = linker.generate_database_name() -%}
    {%- set names = linker.agents_names() -%}
    {%- for name in names.values() if name != names.linker_agents_root -%}
        {%- set made = adapter.get_relation(database, 'agents', name) -%}
        {%- if made is not none and made.is_view -%}
            {%- do adapter.drop_relation(made) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set root = adapter.get_relation(database, 'agents', names.linker_agents_root) -%}
    {%- if root is not none -%}
        {%- do run_query('delete from ' ~ root ~ " where provider = 'linker'") -%}
        {%- if not run_query('select count(*) from ' ~ root).rows[0][0] -%}
            {%- do adapter.drop_relation(root) -%}
        {%- endif -%}
        {%- set others = "select table_name from (" ~ linker.discover_tables() ~ ") as tables where lower(schema_name) = 'agents'" -%}
        {%- if not run_query(others).rows -%}
            {%- do adapter.drop_schema(root.without_identifier()) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do linker._commit() -%}
{%- endmacro %}
