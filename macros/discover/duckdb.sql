{#- Catalog of DuckDB; duckdb_changes.sql detects changed tables. -#}

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

{#-
    https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions
    Paths of nested types are computed once per distinct type: 365 daily shards share one.
-#}
{% macro duckdb__discover_columns() %}
    {%- set nested_types = [] %}
    {%- if linker.can_ask() %}
        {%- set found = run_query(
            "select distinct data_type from duckdb_columns() where not internal and starts_with(data_type, 'STRUCT(')"
            ~ " and database_name = " ~ linker.literal(target.database) ~ " order by data_type"
        ) %}
        {%- do nested_types.extend(found.columns[0].values()) %}
    {%- endif %}
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

{#- https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_views -#}
{% macro duckdb__discover_definitions() %}
    select schema_name, view_name as table_name, sql as definition
    from duckdb_views()
    where database_name = {{ linker.literal(target.database) }} and not internal and not temporary
{% endmacro %}

{#-
    A referenced table has no schema: it is that of the key, since DuckDB has no keys across schemas.
    https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions#duckdb_constraints
-#}
{% macro duckdb__keys(kind) %}
    {%- if kind == 'primary' %}
    select schema_name, table_name, unnest(constraint_column_names) as column_name
    from duckdb_constraints()
    where database_name = {{ linker.literal(target.database) }} and constraint_type = 'PRIMARY KEY'
    {%- else %}
    select
        cast(constraint_index as varchar) as key_name,
        schema_name as from_schema,
        table_name as from_table,
        unnest(constraint_column_names) as from_column,
        schema_name as to_schema,
        referenced_table as to_table,
        unnest(referenced_column_names) as to_column,
        unnest(range(1, len(constraint_column_names) + 1)) as position
    from duckdb_constraints()
    where database_name = {{ linker.literal(target.database) }} and constraint_type = 'FOREIGN KEY'
    {%- endif %}
{% endmacro %}
