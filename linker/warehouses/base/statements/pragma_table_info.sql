select ordinal_position - 1 as cid, column_name as name, data_type as type, is_nullable = 'NO' as "notnull"
from {home}information_schema.columns
