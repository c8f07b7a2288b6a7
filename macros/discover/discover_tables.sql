{#- Every table and view of the target database: database_name, schema_name, table_name, table_kind,
    row_count_estimate, column_count, description. -#}
{% macro discover_tables() -%}
    {{ return(adapter.dispatch('discover_tables', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_tables() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions -#}
{% macro duckdb__discover_tables() %}
    select
        database_name,
        schema_name,
        table_name,
        'table' as table_kind,
        estimated_size as row_count_estimate,
        column_count,
        comment as description
    from duckdb_tables()
    where database_name = {{ linker.literal(target.database) }} and not internal and not temporary

    union all

    select
        database_name,
        schema_name,
        view_name as table_name,
        'view' as table_kind,
        null as row_count_estimate,
        column_count,
        comment as description
    from duckdb_views()
    where database_name = {{ linker.literal(target.database) }} and not internal and not temporary
{% endmacro %}
