select column_name, data_type as column_type, is_nullable as nullable, ordinal_position
from {home}information_schema.columns
