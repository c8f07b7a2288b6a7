select
    l1.schema_name, l1.table_name, l1.column_path, l1.data_type, l1.is_nullable, l1.category, l1.value_kind,
    l2.null_ratio, l2.distinct_count, l2.distinct_is_exact, l2.privacy, l2.is_sampled, l2.scanned_at,
    case when l2.privacy = 'show' then l2.representative_values end,
    l3.row_count, l3.value_count, l3.sample_row_count,
    case when l2.privacy = 'show' then l3.min_value end, case when l2.privacy = 'show' then l3.max_value end
from {linker_profile_l1} as l1
left join {linker_profile_l2} as l2
    on l1.schema_name = l2.schema_name and l1.table_name = l2.table_name and l1.column_path = l2.column_path
left join {linker_profile_l3} as l3
    on l1.schema_name = l3.schema_name and l1.table_name = l3.table_name and l1.column_path = l3.column_path
order by l1.schema_name, l1.table_name, l1.position, l1.column_path
