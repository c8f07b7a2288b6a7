{#- What the views of the target database say: schema_name, table_name, definition; null where the role may not see it. -#}
{% macro discover_definitions() -%}
    {{ return(adapter.dispatch('discover_definitions', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_definitions() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_views -#}
{% macro duckdb__discover_definitions() %}
    select schema_name, view_name as table_name, sql as definition
    from duckdb_views()
    where database_name = {{ linker.literal(target.database) }} and not internal and not temporary
{% endmacro %}

{#- https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CATALOG -#}
{% macro postgres__discover_definitions() %}
    select schema_name, table_name, pg_catalog.pg_get_viewdef(oid) as definition
    from ({{ linker._postgres_listed() }}) as relations
    where table_kind = 'view'
{% endmacro %}

{#- The text is shown to owners alone; that it changed moves LAST_ALTERED, for everybody.
    https://docs.snowflake.com/en/sql-reference/info-schema/views -#}
{% macro snowflake__discover_definitions() %}
    select
        table_schema as schema_name,
        table_name,
        coalesce(view_definition, to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9')) as definition
    from information_schema.views
    where {{ linker._snowflake_schemas('table_schema') }}
{% endmacro %}

{#- https://cloud.google.com/bigquery/docs/information-schema-views -#}
{% macro bigquery__discover_definitions() %}
    select table_schema as schema_name, table_name, view_definition as definition
    from (
        {{- linker.bigquery_view('VIEWS', ['table_schema', 'table_name', 'view_definition']) }}
    ) as views
{% endmacro %}
