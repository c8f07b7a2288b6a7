{#-
    The joins that nobody needs to infer, one row each: origin (`declared` in the warehouse, `tested` by dbt), and the columns
    on both sides as linker_joins has them. Spelt as the catalogue spells them: dbt's own files may differ in case.
-#}
{% macro known_joins(tables, columns) %}
    with logical_tables as (
        select
            database_name,
            schema_name,
            table_name as physical_name,
            coalesce(family_name, table_name) as table_name
        from {{ tables }}
    ),

    known_columns as (
        select 'declared' as origin, keys.* from ({{ linker.declared_keys() }}) as keys
        union all
        select 'tested' as origin, keys.* from ({{ linker.tested_keys() }}) as keys
    ),

    placed_columns as (
        select
            known_columns.origin,
            known_columns.key_name,
            known_columns.position,
            pointing.database_name as from_database,
            pointing.schema_name as from_schema,
            pointing.table_name as from_table,
            from_columns.column_path as from_path,
            keys.database_name as to_database,
            keys.schema_name as to_schema,
            keys.table_name as to_table,
            to_columns.column_path as to_path
        from known_columns
        {%- for side, name in [('from', 'pointing'), ('to', 'keys')] %}
        inner join logical_tables as {{ name }}
            on
                lower(known_columns.{{ side }}_schema) = lower({{ name }}.schema_name)
                and lower(known_columns.{{ side }}_table) = lower({{ name }}.physical_name)
        inner join {{ columns }} as {{ side }}_columns
            on
                {{ name }}.database_name = {{ side }}_columns.database_name
                and {{ name }}.schema_name = {{ side }}_columns.schema_name
                and {{ name }}.physical_name = {{ side }}_columns.table_name
                and {{ side }}_columns.depth = 0
                and lower(known_columns.{{ side }}_column) = lower({{ side }}_columns.column_name)
        {%- endfor %}
    ),

    listed as (
        select
            origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table,
            {{ linker.text_list('from_path', 'position') }} as from_columns,
            {{ linker.text_list('to_path', 'position') }} as to_columns
        from placed_columns
        group by origin, key_name, from_database, from_schema, from_table, to_database, to_schema, to_table
    )

    select
        min(origin) as origin,
        from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
    from listed
    group by from_database, from_schema, from_table, from_columns, to_database, to_schema, to_table, to_columns
{% endmacro %}
