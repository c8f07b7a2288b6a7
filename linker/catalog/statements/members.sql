select table_name, row_count_estimate
from {linker_tables}
where schema_name = ? and family_name = ?
order by table_name
