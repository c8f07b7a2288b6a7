select
    schema_name, coalesce(family_name, table_name) as logical_name,
    max(case when is_representative then table_kind end), max(case when is_representative then description end),
    sum(row_count_estimate), max(case when is_representative then row_count_estimate end), count(*)
from {linker_tables}
group by schema_name, logical_name
order by schema_name, logical_name
