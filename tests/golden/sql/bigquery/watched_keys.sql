    with keys as (
        select
            from_schema as schema_name,
            from_table as table_name,
            key_name || ' ' || from_column || ' > ' || to_schema || ' ' || to_table || ' ' || to_column as declared
        from (
    
    
    select
        cast(null as string) as key_name,
        cast(null as string) as from_schema,
        cast(null as string) as from_table,
        cast(null as string) as from_column,
        cast(null as string) as to_schema,
        cast(null as string) as to_table,
        cast(null as string) as to_column,
        cast(null as bigint) as position
    from (select 1 as one) as one_row
    where 1 = 0

) as foreign_keys

        union all

        select schema_name, table_name, column_name as declared
        from (
    
    select * from (select cast(null as string) as schema_name, cast(null as string) as table_name, cast(null as string) as column_name) as one_row where 1 = 0

) as primary_keys
    )

    select schema_name, table_name, to_hex(md5(to_json_string(array_agg(declared order by declared)))) as token
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
        and not (lower(schema_name) = 'analytics_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_contains(lower(table_name), '__dbt_(tmp|backup)')) as declared_keys
    group by schema_name, table_name;
