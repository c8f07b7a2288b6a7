select schema_name, table_name, case when not has_change_token then 'age' when table_kind = 'view' then 'inputs' else 'token' end
from {linker_plan}
