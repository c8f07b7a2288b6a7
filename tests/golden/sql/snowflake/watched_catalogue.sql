    with tables as (
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
    ),

    column_counts as (
        select table_schema, table_name, count(*) as column_count
        from information_schema.columns
        where table_schema <> 'INFORMATION_SCHEMA'
        group by table_schema, table_name
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        tables.table_kind,
        case when tables.table_kind = 'table' then tables.row_count end as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        tables.comment as description
    from tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not (regexp_instr(lower(table_name), '__dbt_(tmp|backup)') > 0)
    ),

    columns as (
        
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
        columns.table_catalog as database_name,
        columns.table_schema as schema_name,
        columns.table_name as table_name,
        columns.column_name as column_name,
        case
            when contains(columns.column_name, '.') or contains(columns.column_name, '"')
                then '"' || replace(columns.column_name, '"', '""') || '"'
            else columns.column_name
        end as column_path,
        0 as depth,
        row_number() over (
            partition by columns.table_schema, columns.table_name order by columns.ordinal_position
        ) as position,
        case
            when columns.data_type = 'NUMBER'
                then 'NUMBER(' || columns.numeric_precision || ',' || columns.numeric_scale || ')'
            when columns.data_type = 'TEXT' and columns.character_maximum_length < 16777216
                then 'TEXT(' || columns.character_maximum_length || ')'
            else columns.data_type
        end as data_type,
        columns.is_nullable = 'YES' as is_nullable,
        columns.comment as description
    from information_schema.columns as columns
    inner join tables
        on columns.table_schema = tables.table_schema and columns.table_name = tables.table_name
    where columns.table_schema <> 'INFORMATION_SCHEMA'

    ),

    column_lists as (
        select
            schema_name,
            table_name,
            md5(to_json(array_agg(column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end || coalesce(description, '')) within group (order by position))) as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        
    select
        table_schema as schema_name,
        table_name,
        coalesce(view_definition, to_varchar(last_altered, 'yyyy-mm-dd hh24:mi:ss.ff9')) as definition
    from information_schema.views
    where table_schema <> 'INFORMATION_SCHEMA'

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
