{#-
    Lets no statement of this session that follows take longer than `scan_seconds`, where a session can be limited. A lower
    limit of the user or of the server stays in force. Leaves what `reset_time_limit` needs to make the session as it was.
-#}
{% macro set_time_limit() -%}
    {{ return(adapter.dispatch('set_time_limit', 'linker')()) }}
{%- endmacro %}

{% macro reset_time_limit(before) -%}
    {{ return(adapter.dispatch('reset_time_limit', 'linker')(before)) }}
{%- endmacro %}

{#- A statement under the limit, where each has to bring its own. -#}
{% macro with_time_limit(statement_sql) -%}
    {{ return(adapter.dispatch('with_time_limit', 'linker')(statement_sql)) }}
{%- endmacro %}

{#- Whether these words of the warehouse say that a statement met our limit, not one of the user or of the server. -#}
{% macro is_over_time(message) -%}
    {{ return(adapter.dispatch('is_over_time', 'linker')(message)) }}
{%- endmacro %}

{#- No limit can be set in SQL. BigQuery: that of a job is `job_execution_timeout_seconds` of the target.
    https://docs.getdbt.com/docs/core/connect-data-platform/bigquery-setup#timeouts-and-retries -#}
{% macro default__set_time_limit() -%}
{%- endmacro %}

{% macro default__reset_time_limit(before) -%}
{%- endmacro %}

{% macro default__with_time_limit(statement_sql) -%}
    {{ return(statement_sql) }}
{%- endmacro %}

{% macro default__is_over_time(message) -%}
    {{ return(false) }}
{%- endmacro %}

{#- Since DuckDB 2.0, in milliseconds; 0 is no limit. https://duckdb.org/docs/stable/configuration/overview -#}
{% macro duckdb__set_time_limit() -%}
    {%- set own = linker._duckdb_time_limit() -%}
    {%- if own is not none and not linker._is_lower(own) -%}
        {%- do linker._execute('set max_execution_time = ' ~ 1000 * linker._scan_seconds()) -%}
    {%- endif -%}
    {{ return(own) }}
{%- endmacro %}

{% macro duckdb__reset_time_limit(before) -%}
    {%- if before is not none -%}
        {%- do linker._execute('set max_execution_time = ' ~ before) -%}
    {%- endif -%}
{%- endmacro %}

{% macro duckdb__is_over_time(message) -%}
    {{ return('exceeded maximum execution time' in message and not linker._is_lower(linker._duckdb_time_limit() or 0)) }}
{%- endmacro %}

{#- None where this DuckDB has no such setting. -#}
{% macro _duckdb_time_limit() -%}
    {%- for row in run_query("select value from duckdb_settings() where name = 'max_execution_time'").rows -%}
        {{ return(row[0] | int) }}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}

{#- Whether there is a limit, in milliseconds, and it is lower than ours. -#}
{% macro _is_lower(milliseconds) -%}
    {{ return(0 < milliseconds < 1000 * linker._scan_seconds()) }}
{%- endmacro %}

{#- For the transaction alone: behind a pooler the session is that of others, too. What stands in one text with it is timed
    by itself. https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-STATEMENT-TIMEOUT -#}
{% macro postgres__with_time_limit(statement_sql) -%}
    {%- set limit = 1000 * linker._scan_seconds() -%}
    {{ return(
        "select set_config('statement_timeout', '" ~ limit ~ "', true) from pg_catalog.pg_settings\n"
        ~ "where name = 'statement_timeout' and not cast(setting as bigint) between 1 and " ~ (limit - 1) ~ ';\n' ~ statement_sql
    ) }}
{%- endmacro %}

{#- A server of another language has other words, which are then kept as they are. -#}
{% macro postgres__is_over_time(message) -%}
    {%- if 'statement timeout' not in message -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set own = run_query("select setting from pg_catalog.pg_settings where name = 'statement_timeout'").rows[0][0] | int -%}
    {{ return(not linker._is_lower(own)) }}
{%- endmacro %}

{#- The lower one of session and warehouse holds, so that only the session's own is looked at.
    https://docs.snowflake.com/en/sql-reference/parameters#statement-timeout-in-seconds -#}
{% macro snowflake__set_time_limit() -%}
    {%- for own in run_query("show parameters like 'statement_timeout_in_seconds' in session").rows -%}
        {%- set seconds = own['value'] | int -%}
        {%- if not linker._is_lower(1000 * seconds) -%}
            {%- do linker._execute('alter session set statement_timeout_in_seconds = ' ~ linker._scan_seconds()) -%}
        {%- endif -%}
        {{ return(seconds if own['level'] == 'SESSION' else 'unset') }}
    {%- endfor -%}
    {{ return(none) }}
{%- endmacro %}

{% macro snowflake__reset_time_limit(before) -%}
    {%- if before == 'unset' -%}
        {%- do linker._execute('alter session unset statement_timeout_in_seconds') -%}
    {%- elif before is not none -%}
        {%- do linker._execute('alter session set statement_timeout_in_seconds = ' ~ before) -%}
    {%- endif -%}
{%- endmacro %}

{% macro snowflake__is_over_time(message) -%}
    {{ return('timeout of ' ~ linker._scan_seconds() ~ ' second' in message) }}
{%- endmacro %}
