{#- The columns of every logical table: those of its newest member, under its own name. -#}
{% macro logical_columns() %}
    select
        columns.database_name,
        columns.schema_name,
        coalesce(tables.family_name, tables.table_name) as logical_name,
        columns.table_name as physical_name,
        columns.column_name,
        columns.column_path,
        columns.depth,
        columns.position,
        columns.data_type,
        columns.is_nullable,
        columns.description
    from {{ ref('linker_columns') }} as columns
    inner join {{ ref('linker_tables') }} as tables
        on
            columns.database_name = tables.database_name
            and columns.schema_name = tables.schema_name
            and columns.table_name = tables.table_name
    where tables.is_representative
{% endmacro %}
