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
    from (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from keys as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not ((lower(table_name)) collate "C" ~ '__dbt_(tmp|backup)')) as declared_keys
    group by schema_name, table_name;
