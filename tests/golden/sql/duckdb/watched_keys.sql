    with keys as (
        
    select
        from_schema as schema_name,
        from_table as table_name,
        key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
    from (
    select
        cast(constraint_index as varchar) as key_name,
        schema_name as from_schema,
        table_name as from_table,
        unnest(constraint_column_names) as from_column,
        schema_name as to_schema,
        referenced_table as to_table,
        unnest(referenced_column_names) as to_column,
        unnest(range(1, len(constraint_column_names) + 1)) as position
    from duckdb_constraints()
    where database_name = 'warehouse' and constraint_type = 'FOREIGN KEY'
) as foreign_keys

    union all

    select schema_name, table_name, column_name as declared
    from (
    select schema_name, table_name, unnest(constraint_column_names) as column_name
    from duckdb_constraints()
    where database_name = 'warehouse' and constraint_type = 'PRIMARY KEY'
) as primary_keys

    )

    select schema_name, table_name, md5(cast(to_json(list(declared order by declared)) as varchar)) as token
    from keys
    where lower(schema_name) not in ('main_linker')
    group by schema_name, table_name;
