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
        and not (lower(schema_name) = 'main_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_matches(lower(table_name), '__dbt_(tmp|backup)')) as declared_keys
    group by schema_name, table_name;
