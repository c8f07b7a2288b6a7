select min(database_name)
from {linker_tables}
