{#- What follows a table's name so that only about `percent` of it are read, by blocks. -#}
{% macro table_sample(percent) -%}
    {{ return('' if percent >= 100 else ' ' ~ adapter.dispatch('table_sample', 'linker')(percent)) }}
{%- endmacro %}

{#- https://www.postgresql.org/docs/current/sql-select.html#SQL-FROM, https://docs.snowflake.com/en/sql-reference/constructs/sample -#}
{% macro default__table_sample(percent) -%}
    {{ return('tablesample system (' ~ percent ~ ')') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/samples -#}
{% macro duckdb__table_sample(percent) -%}
    {{ return('tablesample system (' ~ percent ~ '%)') }}
{%- endmacro %}

{#- https://cloud.google.com/bigquery/docs/table-sampling -#}
{% macro bigquery__table_sample(percent) -%}
    {{ return('tablesample system (' ~ percent ~ ' percent)') }}
{%- endmacro %}
