select tables.schema_name, tables.family_name, tables.table_name, columns.column_path, columns.is_discovered
from {linker_families} as families
inner join {linker_tables} as tables
    on families.schema_name = tables.schema_name and families.group_name = tables.family_name
inner join {linker_columns} as columns
    on tables.schema_name = columns.schema_name and tables.table_name = columns.table_name
where (families.has_drifted and columns.depth = 0) or columns.is_discovered
