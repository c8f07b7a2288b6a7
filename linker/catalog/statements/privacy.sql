select schema_name, table_name, column_path, privacy
from {linker_profile_l2}
