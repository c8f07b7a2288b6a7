{#- The columns of every logical table, under its own name: each as the newest member that has it has it; those of the
    newest come first. -#}
{% macro logical_columns() %}
    select
        database_name,
        schema_name,
        logical_name,
        physical_name,
        member_count,
        column_name,
        column_path,
        depth,
        cast(row_number() over (
            partition by database_name, schema_name, logical_name order by member_number desc, position
        ) as {{ dbt.type_bigint() }}) as position,
        data_type,
        is_nullable,
        description
    from (
        select
            columns.database_name,
            columns.schema_name,
            coalesce(tables.family_name, tables.table_name) as logical_name,
            columns.table_name as physical_name,
            tables.member_count,
            tables.member_number,
            columns.column_name,
            columns.column_path,
            columns.depth,
            columns.position,
            columns.data_type,
            columns.is_nullable,
            columns.description,
            row_number() over (
                partition by
                    columns.database_name, columns.schema_name, coalesce(tables.family_name, tables.table_name),
                    columns.column_path
                order by tables.member_number desc
            ) as holder_place
        from {{ linker.artifact('linker_columns') }} as columns
        inner join {{ linker.artifact('linker_tables') }} as tables
            on
                columns.database_name = tables.database_name
                and columns.schema_name = tables.schema_name
                and columns.table_name = tables.table_name
    ) as held
    where holder_place = 1
{% endmacro %}
