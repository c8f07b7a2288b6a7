{#- Keys declared in the warehouse. -#}

{#-
    Declared keys, all in the target database. Of `kind` 'foreign', one row per column: key_name, from_schema, from_table,
    from_column, to_schema, to_table, to_column, position; of 'primary', columns: schema_name, table_name, column_name.
-#}
{% macro declared_keys(kind) -%}
    {{ return(adapter.dispatch('keys', 'linker')(kind)) }}
{%- endmacro %}

{#- None, as in Spark. -#}
{% macro default__keys(kind) %}
    {%- if kind == 'foreign' %}
    {{ linker.key_rows([]) }}
    {%- else %}
    {{ linker.rows_or_none(['schema_name', 'table_name', 'column_name'], []) }}
    {%- endif %}
{% endmacro %}
