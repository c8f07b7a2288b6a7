select
    run_id, started_at, ended_at, planned_tables, scanned_tables, unchanged_tables, left_out_tables,
    failed_tables, statement_count, rows_read, bytes_read
from {linker_runs}
order by started_at, run_id
