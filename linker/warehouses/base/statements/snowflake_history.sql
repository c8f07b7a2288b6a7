select min(query_text) as query_text, count(*) as runs, max(start_time)::date as last_run
from snowflake.account_usage.query_history
where database_name = current_database()
    and execution_status = 'SUCCESS'
    and query_type in ('SELECT', 'CREATE_VIEW', 'CREATE_TABLE_AS_SELECT', 'INSERT')
    and query_text not like '%{signature}'
    and query_text not like '{own_models}'
    and start_time >= dateadd(day, -{days}, current_timestamp())
group by query_parameterized_hash
order by last_run desc, runs desc, query_text
limit {most}
