{#- The present moment in UTC, as a timestamp without a zone (on BigQuery, its TIMESTAMP). -#}
{% macro now_utc() -%}
    {{ return(adapter.dispatch('now_utc', 'linker')()) }}
{%- endmacro %}

{#- Not `now()`, which stands still within a transaction.
    https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-CURRENT -#}
{% macro default__now_utc() -%}
    {{ return("cast(clock_timestamp() at time zone 'UTC' as timestamp)") }}
{%- endmacro %}

{#- Given as a literal: DuckDB's own now() stands still within a transaction. -#}
{% macro duckdb__now_utc() -%}
    {{ return("cast('" ~ modules.datetime.datetime.now(modules.pytz.utc).strftime('%Y-%m-%d %H:%M:%S.%f') ~ "' as timestamp)") }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/sysdate -#}
{% macro snowflake__now_utc() -%}
    {{ return('cast(sysdate() as timestamp_ntz)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#current_timestamp -#}
{% macro bigquery__now_utc() -%}
    {{ return('current_timestamp()') }}
{%- endmacro %}
