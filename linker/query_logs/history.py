"""
The history of a warehouse as a query log: enters a read-only session, leaves what it says was run, a statement each.

Where the warehouse can, it groups what differs in nothing but literals. What linker ran itself is left out: its scans
read every column, and what a question made it probe is no use that others make of a table.
"""

import re
from datetime import date, datetime

from linker.errors import ConfigError, WarehouseError
from linker.query_logs.base import Logged
from linker.targets import Target
from linker.warehouses import Warehouse
from linker.warehouses.base import SIGNATURE, Bounds

DAYS, MOST_QUERIES = 90, 20_000
_SECONDS = 600
# dbt puts a comment into each statement that says which model runs it:
# https://docs.getdbt.com/reference/project-configs/query-comment
_OWN_MODELS = '%"node_id": "model.linker.%'

# https://docs.snowflake.com/en/sql-reference/account-usage/query_history; it lags by up to 45 minutes.
_SNOWFLAKE = """
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
"""
# https://cloud.google.com/bigquery/docs/information-schema-jobs
_BIGQUERY = """
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
"""
# https://www.postgresql.org/docs/current/pgstatstatements.html; it does not tell when.
# A literal is `$1` there, also where SQL takes none: `date $1`, `extract($1 from day)`.
_POSTGRES_LITERAL = re.compile(r"(?<![\w$\"])\$\d+")
# What other roles ran is hidden from a role that is not a member of pg_read_all_stats.
_POSTGRES = r"""
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
"""
# The extension may be installed into any schema.
_POSTGRES_PLACE = """
select namespaces.nspname
from pg_catalog.pg_extension as extensions
inner join pg_catalog.pg_namespace as namespaces on extensions.extnamespace = namespaces.oid
where extensions.extname = 'pg_stat_statements'
"""


def history_statement(target: Target, *, extension_schema: str = "public") -> str:
    """The statement that reads the history of a target, in its dialect."""
    if target.kind == "snowflake":
        return _SNOWFLAKE.format(days=DAYS, most=MOST_QUERIES, signature=SIGNATURE, own_models=_OWN_MODELS)
    if target.kind == "postgres":
        extension = _quoted(extension_schema)
        return _POSTGRES.format(extension=extension, most=MOST_QUERIES, signature=SIGNATURE, own_models=_OWN_MODELS)
    if target.kind == "bigquery":
        options = target.options
        project = str(options.get("execution_project") or options.get("project") or options.get("database") or "")
        location = str(options.get("location") or "us").lower()
        for name in (project, location):
            if not name.replace("-", "").replace(":", "").replace(".", "").isalnum():
                raise ConfigError(f"target `{target.name}` names no project or location", hint="check profiles.yml")
        return _BIGQUERY.format(
            project=project, location=location, days=DAYS, most=MOST_QUERIES, own_models=_OWN_MODELS
        )
    raise ConfigError(f"{target.kind} keeps no history of queries", hint="give a file of SQL: linker learn queries.sql")


def read_history(target: Target, warehouse: Warehouse) -> list[Logged]:
    """What was run in the last months, what ran last first; of Postgres what ran most."""
    schema = "public"
    # What is not kept is said before anything is asked.
    history_statement(target)
    if target.kind == "postgres":
        places = warehouse.query(_POSTGRES_PLACE)
        if not places:
            raise WarehouseError(
                "this database does not keep its queries: the extension pg_stat_statements is missing",
                hint="create extension pg_stat_statements, with shared_preload_libraries set; or give a file of SQL",
            )
        schema = str(places[0][0])
    rows = warehouse.query(history_statement(target, extension_schema=schema), bounds=Bounds(seconds=_SECONDS))
    if target.kind == "postgres":
        rows = [(_POSTGRES_LITERAL.sub("'1'", str(text)), *rest) for text, *rest in rows]
    return [Logged(str(text), max(int(runs), 1), _day(last)) for text, runs, last in rows if text]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _day(told: object) -> date | None:
    if isinstance(told, datetime):
        return told.date()
    return told if isinstance(told, date) else None
