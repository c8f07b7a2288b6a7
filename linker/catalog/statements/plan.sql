select state, reason, members
from {linker_plan}
where schema_name = ? and table_name = ?
