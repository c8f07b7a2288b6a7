{#- bqemulator takes no list of columns in `create table … as`; the types are those of the query, which the contract checks.
    A macro of dbt's own, not of linker. -#}
{% macro bigquery__get_table_columns_and_constraints() -%}
{%- endmacro %}
