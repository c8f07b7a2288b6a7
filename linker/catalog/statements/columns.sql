select
    schema_name, logical_name, column_path, column_name, depth,
    row_number() over (partition by schema_name, logical_name order by member_number desc, position) as place,
    data_type, is_nullable, description
from (
    select
        columns.schema_name, coalesce(tables.family_name, tables.table_name) as logical_name, columns.column_path,
        columns.column_name, columns.depth, columns.position, columns.data_type, columns.is_nullable,
        columns.description, tables.member_number,
        row_number() over (
            partition by columns.schema_name, coalesce(tables.family_name, tables.table_name), columns.column_path
            order by tables.member_number desc
        ) as holder_place
    from {linker_columns} as columns
    inner join {linker_tables} as tables
        on columns.schema_name = tables.schema_name and columns.table_name = tables.table_name
) as held
where holder_place = 1
order by schema_name, logical_name, place
