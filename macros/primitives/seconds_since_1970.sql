{#- A date or timestamp as seconds since 1970, as double. Infinite dates are null. -#}
{% macro seconds_since_1970(expression) -%}
    {{ return(adapter.dispatch('seconds_since_1970', 'linker')(expression)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-EXTRACT -#}
{% macro default__seconds_since_1970(expression) -%}
    {{ return('case when isfinite(' ~ expression ~ ') then cast(extract(epoch from ' ~ expression ~ ') as double precision) end') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/timestamp#epochtimestamp -#}
{% macro duckdb__seconds_since_1970(expression) -%}
    {{ return('case when isfinite(' ~ expression ~ ') then cast(epoch(' ~ expression ~ ') as double) end') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/functions/year#label-date-part-function-specify-part-to-extract -#}
{% macro snowflake__seconds_since_1970(expression) -%}
    {{ return('cast(date_part(epoch_microsecond, cast(' ~ expression ~ ' as timestamp_ntz)) as double) / 1000000') }}
{%- endmacro %}

{#- `unix_seconds` would cut the fraction off.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions#unix_micros -#}
{% macro bigquery__seconds_since_1970(expression) -%}
    {{ return('unix_micros(cast(' ~ expression ~ ' as timestamp)) / 1000000') }}
{%- endmacro %}
