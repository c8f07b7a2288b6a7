select table_catalog as database_name, table_schema as schema_name, table_name
from {home}information_schema.tables where table_type = 'BASE TABLE'
