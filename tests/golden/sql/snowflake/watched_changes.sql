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
        select
            table_catalog,
            table_schema,
            table_name,
            case when table_type = 'VIEW' then 'view' else 'table' end as table_kind,
            row_count,
            bytes,
            created,
            last_altered,
            comment
        from information_schema.tables
        where table_schema <> 'INFORMATION_SCHEMA' and table_type not in ('TEMPORARY TABLE', 'EVENT TABLE')
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name as table_name,
        case when table_kind = 'table' then row_count end as row_count,
        case when table_kind = 'table' then bytes end as byte_count,
        case
            when table_kind = 'table'
                then md5(concat_ws(
                    ':',
                    to_varchar(created, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9'),
                    coalesce(to_varchar(row_count), ''),
                    coalesce(to_varchar(bytes), '')
                ))
        end as change_token
    from tables
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not (regexp_instr(lower(table_name), '__dbt_(tmp|backup)') > 0)) as changes;
