select statement_text, count(*) as runs, cast(max(start_time) as date) as last_run
from system.query.history
where execution_status = 'FINISHED'
    and statement_type in ('SELECT', 'CREATE_VIEW', 'CREATE_TABLE_AS_SELECT', 'INSERT')
    and statement_text not like '%{signature}'
    and statement_text not like '{own_models}'
    and start_time >= current_timestamp() - make_dt_interval({days})
group by statement_text
order by last_run desc, runs desc, statement_text
limit {most}
