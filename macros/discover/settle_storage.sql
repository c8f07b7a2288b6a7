{#-
    Brings what this run of dbt wrote to where later runs will find it, so that its tables look the same to them: by where
    a table is stored one tells that it changed.
-#}
{% macro settle_storage() -%}
    {{ return(adapter.dispatch('settle_storage', 'linker')()) }}
{%- endmacro %}

{% macro default__settle_storage() -%}
{%- endmacro %}

{#- What was written since the last checkpoint has no place in the file yet. It is no statement of a transaction.
    https://duckdb.org/docs/stable/sql/statements/checkpoint -#}
{% macro duckdb__settle_storage() -%}
    {%- set is_file = run_query(
        "select 1 from duckdb_databases() where database_name = " ~ linker.literal(target.database)
        ~ " and type = 'duckdb' and path is not null and not readonly"
    ).rows -%}
    {%- if is_file -%}
        {%- do linker._commit() -%}
        {%- do run_query('checkpoint ' ~ linker.identifier(target.database)) -%}
    {%- endif -%}
{%- endmacro %}
