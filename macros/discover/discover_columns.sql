{#- Every column of the target database, nested paths included: database_name, schema_name, table_name, column_name,
    column_path, depth, position, data_type, is_nullable, description. -#}
{% macro discover_columns() -%}
    {{ return(adapter.dispatch('discover_columns', 'linker')()) }}
{%- endmacro %}

{% macro default__discover_columns() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions
    The paths of a nested type are worked out once per distinct type: 365 daily shards have one. -#}
{% macro duckdb__discover_columns() %}
    {%- set nested_types = linker._nested_types() %}
    with nested_fields (nested_type, field_number, field_path, field_type, depth) as (
        {%- for nested_type in nested_types %}
        {%- set outer = loop %}
        {%- for field in linker.nested_fields(nested_type) %}
        {{ 'union all ' if not (outer.first and loop.first) }}select {{ linker.literal(nested_type) }}, {{ loop.index }}, {{ linker.literal(field.path) }}, {{ linker.literal(field.data_type) }}, {{ field.depth }}
        {%- endfor %}
        {%- else %}
        select cast(null as varchar), 0, '', '', 0 where false
        {%- endfor %}
    ),

    top_level as (
        select
            database_name,
            schema_name,
            table_name,
            column_name,
            case
                when contains(column_name, '.') or contains(column_name, '"')
                    then '"' || replace(column_name, '"', '""') || '"'
                else column_name
            end as column_path,
            column_index,
            data_type,
            is_nullable,
            comment
        from duckdb_columns()
        where database_name = {{ linker.literal(target.database) }} and not internal
    ),

    all_levels as (
        select
            database_name, schema_name, table_name, column_name, column_path, 0 as depth,
            column_index, 0 as field_number, data_type, is_nullable, comment as description
        from top_level

        union all

        select
            database_name, schema_name, table_name, column_name, column_path || '.' || field_path, depth,
            column_index, field_number, field_type, true, null
        from top_level
        inner join nested_fields on top_level.data_type = nested_fields.nested_type
    )

    select
        database_name,
        schema_name,
        table_name,
        column_name,
        column_path,
        depth,
        row_number() over (
            partition by database_name, schema_name, table_name order by column_index, field_number
        ) as position,
        data_type,
        is_nullable,
        description
    from all_levels
{% endmacro %}

{% macro _nested_types() -%}
    {%- if not linker.can_ask() -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set found = run_query(
        "select distinct data_type from duckdb_columns() where not internal and starts_with(data_type, 'STRUCT(')"
        ~ " and database_name = " ~ linker.literal(target.database) ~ " order by data_type"
    ) -%}
    {{ return(found.columns[0].values() | list) }}
{%- endmacro %}
