{#- A number that grows in the order in which a table stores its rows; null where the warehouse keeps none, and in views. -#}
{% macro storage_order(table_kind) -%}
    {{ return(adapter.dispatch('storage_order', 'linker')(table_kind)) }}
{%- endmacro %}

{#- Snowflake's and BigQuery's files have no row number. Postgres reads rows in their order, and the sample keeps it. -#}
{% macro default__storage_order(table_kind) -%}
    {{ return('cast(null as ' ~ linker.double_type() ~ ')') }}
{%- endmacro %}

{#- https://duckdb.org/docs/stable/sql/statements/select#row-ids -#}
{% macro duckdb__storage_order(table_kind) -%}
    {{ return('cast(null as double)' if table_kind == 'view' else 'cast(rowid as double)') }}
{%- endmacro %}
