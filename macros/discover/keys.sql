{#- Keys declared in the warehouse. -#}

{#-
    The foreign keys that the warehouse declares, one row a column: key_name, from_schema, from_table, from_column,
    to_schema, to_table, to_column, position. All are of the target database.
-#}
{% macro declared_keys() -%}
    {{ return(adapter.dispatch('keys', 'linker')('foreign')) }}
{%- endmacro %}

{#- The columns of the primary keys that the warehouse declares: schema_name, table_name, column_name. -#}
{% macro declared_primary_keys() -%}
    {{ return(adapter.dispatch('keys', 'linker')('primary')) }}
{%- endmacro %}

{% macro default__keys(kind) -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- Every declared key in words: schema_name, table_name, declared. By a query alone, which a session that only reads can run:
    where keys are shown, by their names and ages. A constraint is not altered: it is dropped, and made anew.
    https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints -#}
{% macro queried_keys() %}
    {%- if linker.dialect().shows_keys %}
    select
        table_schema as schema_name,
        table_name,
        constraint_type || ' ' || constraint_name || ' ' || to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9') as declared
    from information_schema.table_constraints
    where {{ linker._snowflake_schemas('table_schema') }}
    {%- else %}
    select
        from_schema as schema_name,
        from_table as table_name,
        key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
    from ({{ linker.declared_keys() }}) as foreign_keys

    union all

    select schema_name, table_name, column_name as declared
    from ({{ linker.declared_primary_keys() }}) as primary_keys
    {%- endif %}
{% endmacro %}
