select l1.column_path, l1.position, l1.*, l2.*, l3.*
from {linker_profile_l1} as l1
left join {linker_profile_l2} as l2
    on l1.schema_name = l2.schema_name and l1.table_name = l2.table_name and l1.column_path = l2.column_path
left join {linker_profile_l3} as l3
    on l1.schema_name = l3.schema_name and l1.table_name = l3.table_name and l1.column_path = l3.column_path
where l1.schema_name = ? and l1.table_name = ?
order by l1.position
