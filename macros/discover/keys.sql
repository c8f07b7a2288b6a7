{#- The keys that the warehouse declares. -#}

{#-
    The foreign keys that the warehouse declares, one row a column: key_name, from_schema, from_table, from_column,
    to_schema, to_table, to_column, position. All are of the target database.
-#}
{% macro declared_keys() -%}
    {{ return(adapter.dispatch('declared_keys', 'linker')()) }}
{%- endmacro %}

{% macro default__declared_keys() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

{#- The columns of the primary keys that the warehouse declares: schema_name, table_name, column_name. -#}
{% macro declared_primary_keys() -%}
    {{ return(adapter.dispatch('declared_primary_keys', 'linker')()) }}
{%- endmacro %}

{% macro default__declared_primary_keys() -%}
    {{ linker.refuse_warehouse() }}
{%- endmacro %}

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
