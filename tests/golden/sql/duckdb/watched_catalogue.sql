    with tables as (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (
    select
        database_name,
        schema_name,
        table_name,
        'table' as table_kind,
        estimated_size as row_count_estimate,
        column_count,
        comment as description
    from duckdb_tables()
    where database_name = 'warehouse' and not internal and not temporary

    union all

    select
        database_name,
        schema_name,
        view_name as table_name,
        'view' as table_kind,
        null as row_count_estimate,
        column_count,
        comment as description
    from duckdb_views()
    where database_name = 'warehouse' and not internal and not temporary
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'main_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_matches(lower(table_name), '__dbt_(tmp|backup)')
    ),

    columns as (
        
    with nested_fields (nested_type, field_number, field_path, field_type, depth) as (
        select cast(null as varchar), 0, '', '', 0 where false
    ),

    top_level as (
        select
            database_name,
            schema_name,
            table_name,
            column_name,
            case
                when contains(column_name, '.') or contains(column_name, '"')
                    then '"' || replace(column_name, '"', '""') || '"'
                else column_name
            end as column_path,
            column_index,
            data_type,
            is_nullable,
            comment
        from duckdb_columns()
        where database_name = 'warehouse' and not internal
    ),

    all_levels as (
        select
            database_name, schema_name, table_name, column_name, column_path, 0 as depth,
            column_index, 0 as field_number, data_type, is_nullable, comment as description
        from top_level

        union all

        select
            database_name, schema_name, table_name, column_name, column_path || '.' || field_path, depth,
            column_index, field_number, field_type, true, null
        from top_level
        inner join nested_fields on top_level.data_type = nested_fields.nested_type
    )

    select
        database_name,
        schema_name,
        table_name,
        column_name,
        column_path,
        depth,
        row_number() over (
            partition by database_name, schema_name, table_name order by column_index, field_number
        ) as position,
        data_type,
        is_nullable,
        description
    from all_levels

    ),

    column_lists as (
        select
            schema_name,
            table_name,
            md5(cast(to_json(list(column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end || coalesce(description, '') order by position)) as varchar)) as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        
    select schema_name, view_name as table_name, sql as definition
    from duckdb_views()
    where database_name = 'warehouse' and not internal and not temporary

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
