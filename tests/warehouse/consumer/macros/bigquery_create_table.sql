{#-
    bqemulator does not accept a column list in `create table … as`; the query's types apply, which the contract checks. Overrides
    a macro of dbt, not of linker.
-#}
{% macro bigquery__get_table_columns_and_constraints() -%}
{%- endmacro %}
