select query, count(*) as runs, date(max(creation_time)) as last_run
from `{project}`.`region-{location}`.INFORMATION_SCHEMA.JOBS
where job_type = 'QUERY'
    and state = 'DONE'
    and error_result is null
    and statement_type in ('SELECT', 'CREATE_VIEW', 'CREATE_TABLE_AS_SELECT', 'INSERT', 'SCRIPT')
    and not exists (select 1 from unnest(labels) as label where label.value = 'dbt-linker')
    and query not like '{own_models}'
    and creation_time >= timestamp_sub(current_timestamp(), interval {days} day)
group by query
order by last_run desc, runs desc, query
limit {most}
