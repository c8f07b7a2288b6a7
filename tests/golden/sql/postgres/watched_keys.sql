    with keys as (
        
    select
        from_schema as schema_name,
        from_table as table_name,
        key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
    from (
    select
        cast(constraints.oid as text) as key_name,
        cast(from_schemas.nspname as text) as from_schema,
        cast(from_tables.relname as text) as from_table,
        cast(from_columns.attname as text) as from_column,
        cast(to_schemas.nspname as text) as to_schema,
        cast(to_tables.relname as text) as to_table,
        cast(to_columns.attname as text) as to_column,
        places.position
    from pg_catalog.pg_constraint as constraints
    cross join lateral unnest(constraints.conkey, constraints.confkey) with ordinality as places (from_number, to_number, position)
    inner join pg_catalog.pg_class as from_tables on constraints.conrelid = from_tables.oid
    inner join pg_catalog.pg_namespace as from_schemas on from_tables.relnamespace = from_schemas.oid
    inner join pg_catalog.pg_class as to_tables on constraints.confrelid = to_tables.oid
    inner join pg_catalog.pg_namespace as to_schemas on to_tables.relnamespace = to_schemas.oid
    inner join pg_catalog.pg_attribute as from_columns
        on constraints.conrelid = from_columns.attrelid and places.from_number = from_columns.attnum
    inner join pg_catalog.pg_attribute as to_columns
        on constraints.confrelid = to_columns.attrelid and places.to_number = to_columns.attnum
    where constraints.contype = 'f' and constraints.conparentid = 0
) as foreign_keys

    union all

    select schema_name, table_name, column_name as declared
    from (
    select
        cast(schemas.nspname as text) as schema_name,
        cast(tables.relname as text) as table_name,
        cast(columns.attname as text) as column_name
    from pg_catalog.pg_constraint as constraints
    inner join pg_catalog.pg_class as tables on constraints.conrelid = tables.oid
    inner join pg_catalog.pg_namespace as schemas on tables.relnamespace = schemas.oid
    inner join pg_catalog.pg_attribute as columns
        on constraints.conrelid = columns.attrelid and columns.attnum = any(constraints.conkey)
    where constraints.contype = 'p'
) as primary_keys

    )

    select schema_name, table_name, md5('[' || string_agg(coalesce(cast(to_json(declared) as text), 'null'), ',' order by declared) || ']') as token
    from keys
    where lower(schema_name) not in ('public_linker')
    group by schema_name, table_name;
