    with tables as (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (
    select 'spark_catalog' as database_name, found.*
    from (
    select inline(from_json('[]', 'array<struct<schema_name: string, table_name: string, table_kind: string, row_count_estimate: bigint, column_count: bigint, description: string>>'))

    ) as found
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'default_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_like(lower(table_name), '__dbt_(tmp|backup)')
    ),

    columns as (
        
    select 'spark_catalog' as database_name, found.*
    from (
    select inline(from_json('[]', 'array<struct<schema_name: string, table_name: string, column_name: string, column_path: string, depth: bigint, position: bigint, data_type: string, is_nullable: boolean, description: string>>'))

    ) as found

    ),

    column_lists as (
        select
            schema_name,
            table_name,
            md5(to_json(transform(array_sort(collect_list(struct(position, column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end || coalesce(description, '') as written))), listed -> listed.written))) as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        
    
    select inline(from_json('[]', 'array<struct<schema_name: string, table_name: string, definition: string>>'))


    )

    select
        tables.schema_name,
        tables.table_name,
        md5(tables.table_kind || ' ' || coalesce(column_lists.column_token, '') || ' ' || md5(coalesce(tables.description, '')) || ' ' || coalesce(definitions.definition, '')) as token
    from tables
    left join column_lists
        on tables.schema_name = column_lists.schema_name and tables.table_name = column_lists.table_name
    left join definitions
        on tables.schema_name = definitions.schema_name and tables.table_name = definitions.table_name;
