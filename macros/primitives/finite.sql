{#- A number in its own type, null where it is infinite or not a number. -#}
{% macro finite(expression) -%}
    {{ return(adapter.dispatch('finite', 'linker')(expression)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT: NaN equals NaN, numeric has both too. -#}
{% macro default__finite(expression) -%}
    {{ return('case when ' ~ expression ~ " not in ('Infinity', '-Infinity', 'NaN') then " ~ expression ~ ' end') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/functions/numeric#isfinitex -#}
{% macro duckdb__finite(expression) -%}
    {{ return('case when isfinite(' ~ expression ~ ') then ' ~ expression ~ ' end') }}
{%- endmacro %}

{#- https://docs.snowflake.com/en/sql-reference/data-types-numeric#special-values -#}
{% macro snowflake__finite(expression) -%}
    {{ return(
        'case when ' ~ expression ~ " not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then "
        ~ expression ~ ' end'
    ) }}
{%- endmacro %}

{#- NUMERIC is asked as FLOAT64, and given as it is.
    https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#is_inf -#}
{% macro bigquery__finite(expression) -%}
    {%- set number = 'cast(' ~ expression ~ ' as float64)' -%}
    {{ return('if(is_inf(' ~ number ~ ') or is_nan(' ~ number ~ '), null, ' ~ expression ~ ')') }}
{%- endmacro %}
