select table_catalog as database, table_schema as schema, table_name as name, table_type as type
from {home}information_schema.tables where table_schema <> 'information_schema'
