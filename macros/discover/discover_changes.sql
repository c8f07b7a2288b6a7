{#-
    What the catalogue knows of the state of tables without reading them: database_name, schema_name, table_name,
    row_count, byte_count (what a scan reads), change_token.
    Enters the physical tables to look at, a list of {database, schema, name, kind}; where the catalogue tells of all
    at once, it is ignored. The token is a text that differs when the data differs, rows and bytes included where they
    tell something; it is null where the warehouse offers nothing, as for views.
-#}
{% macro discover_changes(tables) -%}
    {%- set changes = adapter.dispatch('discover_changes', 'linker')(tables) -%}
    {%- do adapter.dispatch('watch_changes', 'linker')(changes) -%}
    {{ return(changes) }}
{%- endmacro %}

{% macro default__watch_changes(changes) -%}
    {%- do linker.watch('changes', [linker.watched_changes(changes)]) -%}
{%- endmacro %}

{% macro default__discover_changes(tables) -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}
