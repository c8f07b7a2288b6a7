select table_catalog, table_schema, table_name
from information_schema.tables
where lower(table_schema) = lower(?)
