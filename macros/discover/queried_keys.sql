{#- Every declared key in words: schema_name, table_name, declared. By a query alone, which a session that only reads can run. -#}
{% macro queried_keys() -%}
    {{ return(adapter.dispatch('queried_keys', 'linker')()) }}
{%- endmacro %}

{% macro default__queried_keys() %}
    select
        from_schema as schema_name,
        from_table as table_name,
        key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
    from ({{ linker.declared_keys() }}) as foreign_keys

    union all

    select schema_name, table_name, column_name as declared
    from ({{ linker.declared_primary_keys() }}) as primary_keys
{% endmacro %}

{#- SHOW, which names the columns, is no query. A constraint is not altered: it is dropped, and made anew.
    https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints -#}
{% macro snowflake__queried_keys() %}
    select
        table_schema as schema_name,
        table_name,
        constraint_type || ' ' || constraint_name || ' ' || to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9') as declared
    from information_schema.table_constraints
    where {{ linker._snowflake_schemas('table_schema') }}
{% endmacro %}
