    with keys as (
        select
            table_schema as schema_name,
            table_name,
            constraint_type || ' ' || constraint_name || ' ' || to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9') as declared
        from information_schema.table_constraints
        where table_schema <> 'INFORMATION_SCHEMA'
    )

    select schema_name, table_name, md5(to_json(array_agg(declared) within group (order by declared))) as token
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
        and not (regexp_instr(lower(table_name), '__dbt_(tmp|backup)') > 0)) as declared_keys
    group by schema_name, table_name;
