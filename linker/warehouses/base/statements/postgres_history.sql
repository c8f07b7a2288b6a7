select statements.query, sum(statements.calls)::bigint as runs, null::date as last_run
from {extension}.pg_stat_statements as statements
inner join pg_catalog.pg_database as databases on statements.dbid = databases.oid
where databases.datname = current_database()
    and statements.query ~* '^(\s|\(|/\*.*?\*/|--[^\n]*\n)*(select|with|insert|create)\M'
    and statements.query not like '%{signature}'
    and statements.query not like '{own_models}'
group by statements.query
order by runs desc, statements.query
limit {most}
