-- Table states at the end of a run.
select schema_name, table_name, packed
from linker.table_states
where target = %(target)s
    and from_run <= %(number)s
    and coalesce(until_run > %(number)s, true)
order by schema_name collate "C", table_name collate "C"
