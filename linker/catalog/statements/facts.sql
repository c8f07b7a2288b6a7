select
    l1.schema_name, l1.table_name, l1.column_path, l1.category, l1.primary_key_origin, l1.foreign_key_origin,
    case when l2.privacy = 'show' then l2.representative_values end, l2.distinct_count,
    l3.row_count - l3.value_count, case when l2.privacy = 'show' then l3.first_day end,
    case when l2.privacy = 'show' then l3.last_day end, l2.privacy
from {linker_profile_l1} as l1
left join {linker_profile_l2} as l2
    on l1.schema_name = l2.schema_name and l1.table_name = l2.table_name and l1.column_path = l2.column_path
left join {linker_profile_l3} as l3
    on l1.schema_name = l3.schema_name and l1.table_name = l3.table_name and l1.column_path = l3.column_path
