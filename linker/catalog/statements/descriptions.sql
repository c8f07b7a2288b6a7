select schema_name, table_name, column_path, description
from {linker_profile_l2}
where description is not null
