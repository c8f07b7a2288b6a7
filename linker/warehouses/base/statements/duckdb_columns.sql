select table_catalog as database_name, table_schema as schema_name, table_name, column_name,
    ordinal_position as column_index, is_nullable, data_type
from {home}information_schema.columns
