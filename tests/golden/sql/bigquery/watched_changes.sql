    select schema_name, table_name, coalesce(change_token, '') as token
    from (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (
    with tables as (
    select project_id, dataset_id, table_id, row_count, size_bytes, creation_time, last_modified_time, type from `project`.`sa"les`.__TABLES__
    union all select project_id, dataset_id, table_id, row_count, size_bytes, creation_time, last_modified_time, type from `project`.`sales`.__TABLES__
    )

    select
        project_id as database_name,
        dataset_id as schema_name,
        table_id as table_name,
        row_count,
        size_bytes as byte_count,
        to_hex(md5(format('%d:%d:%d:%d', creation_time, last_modified_time, row_count, size_bytes))) as change_token
    from tables
    where type = 1
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'analytics_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_contains(lower(table_name), '__dbt_(tmp|backup)')) as changes;
