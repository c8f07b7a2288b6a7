    with tables as (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (
    with tables as (
    select table_catalog, table_schema, table_name, table_type from `project`.`region-us`.INFORMATION_SCHEMA.TABLES
    ),

    columns as (
    select table_schema, table_name, ordinal_position from `project`.`region-us`.INFORMATION_SCHEMA.COLUMNS
    ),

    column_counts as (
        select table_schema, table_name, count(ordinal_position) as column_count
        from columns
        group by table_schema, table_name
    ),

    sizes as (
        select table_schema, table_name, total_rows as row_count
        from (
    select table_schema, table_name, total_rows, deleted from `project`.`region-us`.INFORMATION_SCHEMA.TABLE_STORAGE
        ) as storage
        where not deleted
    ),

    options as (
    select table_schema, table_name, option_name, option_value from `project`.`region-us`.INFORMATION_SCHEMA.TABLE_OPTIONS
    ),

    -- The value is spelt as a literal: a text in double quotes, or in single ones where it holds double ones itself.
    -- https://cloud.google.com/bigquery/docs/information-schema-table-options
    descriptions as (
        select
            table_schema,
            table_name,
            coalesce(
                json_value(option_value),
                replace(substr(option_value, 2, length(option_value) - 2), r"\'", "'")
            ) as description
        from options
        where option_name = 'description'
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        if(tables.table_type = 'VIEW', 'view', 'table') as table_kind,
        if(tables.table_type in ('VIEW', 'EXTERNAL'), null, sizes.row_count) as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        descriptions.description as description
    from tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
    left join sizes
        on tables.table_schema = sizes.table_schema and tables.table_name = sizes.table_name
    left join descriptions
        on tables.table_schema = descriptions.table_schema and tables.table_name = descriptions.table_name
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'analytics_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_contains(lower(table_name), '__dbt_(tmp|backup)')
    ),

    columns as (
        
    with columns as (
    select table_catalog, table_schema, table_name, column_name, ordinal_position, is_nullable, data_type from `project`.`region-us`.INFORMATION_SCHEMA.COLUMNS
    ),

    paths as (
    select table_schema, table_name, column_name, field_path, data_type, description from `project`.`region-us`.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS
    ),

    fields as (
        select
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            child.data_type,
            child.description,
            row_number() over (
                partition by child.table_schema, child.table_name, child.column_name, other.field_path
                order by
                    strpos(
                        replace(replace(other.data_type, '`', ''), '<', ' '),
                        replace(concat(' ', regexp_extract(child.field_path, r'[^.]+$'), ' ', child.data_type), '<', ' ')
                    ),
                    child.field_path
            ) as place
        from paths as child
        inner join paths as other
            on
            child.table_schema = other.table_schema
            and child.table_name = other.table_name
            and child.column_name = other.column_name
            and regexp_replace(child.field_path, r'\.[^.]+$', '') = other.field_path
            and child.field_path <> other.field_path
    ),

    places as (
        select
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            string_agg(lpad(cast(other.place as string), 5, '0'), '.' order by length(other.field_path)) as place
        from fields as child
        inner join fields as other
            on
            child.table_schema = other.table_schema
            and child.table_name = other.table_name
            and child.column_name = other.column_name
            and starts_with(concat(child.field_path, '.'), concat(other.field_path, '.'))
        group by child.table_schema, child.table_name, child.column_name, child.field_path
    ),

    all_levels as (
        select
            child.table_catalog,
            child.table_schema,
            child.table_name,
            child.column_name,
            child.column_name as field_path,
            child.ordinal_position,
            '' as place,
            child.data_type,
            child.is_nullable = 'YES' as is_nullable,
            other.description
        from columns as child
        left join paths as other
            on
            child.table_schema = other.table_schema
            and child.table_name = other.table_name
            and child.column_name = other.column_name
            and child.column_name = other.field_path

        union all

        select
            columns.table_catalog,
            child.table_schema,
            child.table_name,
            child.column_name,
            child.field_path,
            columns.ordinal_position,
            other.place,
            child.data_type,
            true as is_nullable,
            child.description
        from fields as child
        inner join places as other
            on
            child.table_schema = other.table_schema
            and child.table_name = other.table_name
            and child.column_name = other.column_name
            and child.field_path = other.field_path
        inner join columns
            on
                child.table_schema = columns.table_schema
                and child.table_name = columns.table_name
                and child.column_name = columns.column_name
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name,
        column_name,
        field_path as column_path,
        array_length(split(field_path, '.')) - 1 as depth,
        row_number() over (partition by table_schema, table_name order by ordinal_position, place) as position,
        data_type,
        is_nullable,
        description
    from all_levels
    where ordinal_position is not null

    ),

    column_lists as (
        select
            schema_name,
            table_name,
            to_hex(md5(to_json_string(array_agg(column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end || coalesce(description, '') order by position)))) as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        
    select table_schema as schema_name, table_name, view_definition as definition
    from (
    select table_schema, table_name, view_definition from `project`.`region-us`.INFORMATION_SCHEMA.VIEWS
    ) as views

    )

    select
        tables.schema_name,
        tables.table_name,
        to_hex(md5(tables.table_kind || ' ' || coalesce(column_lists.column_token, '') || ' ' || to_hex(md5(coalesce(tables.description, ''))) || ' ' || coalesce(definitions.definition, ''))) as token
    from tables
    left join column_lists
        on tables.schema_name = column_lists.schema_name and tables.table_name = column_lists.table_name
    left join definitions
        on tables.schema_name = definitions.schema_name and tables.table_name = definitions.table_name;
