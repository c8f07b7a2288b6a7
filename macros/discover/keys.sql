{#- Keys declared in the warehouse. -#}

{#-
    Declared foreign keys, one row per column: key_name, from_schema, from_table, from_column, to_schema, to_table,
    to_column, position. All are in the target database.
-#}
{% macro declared_keys() -%}
    {{ return(adapter.dispatch('keys', 'linker')('foreign')) }}
{%- endmacro %}

{#- Columns of declared primary keys: schema_name, table_name, column_name. -#}
{% macro declared_primary_keys() -%}
    {{ return(adapter.dispatch('keys', 'linker')('primary')) }}
{%- endmacro %}

{% macro default__keys(kind) -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#-
    Declared keys as text: schema_name, table_name, declared. A plain query, which a read-only session can run;
    where keys come from SHOW, by name and age, since a constraint is dropped and created anew instead of altered.
    https://docs.snowflake.com/en/sql-reference/info-schema/table_constraints
-#}
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
