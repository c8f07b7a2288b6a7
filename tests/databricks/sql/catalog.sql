-- tables
with column_counts as (
        select table_schema, table_name, count(*) as column_count
        from `main`.information_schema.columns
        where table_schema <> 'information_schema' and lower(table_schema) in ('sales')
        group by table_schema, table_name
    )

    select
        tables.table_catalog as database_name,
        tables.table_schema as schema_name,
        tables.table_name as table_name,
        case when tables.table_type in ('VIEW', 'METRIC_VIEW') then 'view' else 'table' end as table_kind,
        cast(null as bigint) as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        tables.comment as description
    from `main`.information_schema.tables as tables
    left join column_counts
        on tables.table_schema = column_counts.table_schema and tables.table_name = column_counts.table_name
    where tables.table_schema <> 'information_schema' and lower(tables.table_schema) in ('sales');

-- columns
with nested_fields as (
    select inline(from_json('[]', 'array<struct<nested_type: string, field_number: bigint, field_path: string, field_type: string, depth: bigint>>'))

    ),

    top_level as (
        select
            table_catalog,
            table_schema,
            table_name,
            column_name,
            case
                when contains(column_name, '.') or contains(column_name, '"')
                    then '"' || replace(column_name, '"', '""') || '"'
                else column_name
            end as column_path,
            ordinal_position,
            full_data_type,
            is_nullable = 'YES' as is_nullable,
            comment
        from `main`.information_schema.columns
        where table_schema <> 'information_schema' and lower(table_schema) in ('sales')
    ),

    all_levels as (
        select
            table_catalog, table_schema, table_name, column_name, column_path, 0 as depth,
            ordinal_position, 0 as field_number, full_data_type, is_nullable, comment
        from top_level

        union all

        select
            table_catalog, table_schema, table_name, column_name, column_path || '.' || field_path, depth,
            ordinal_position, field_number, field_type, true, null
        from top_level
        inner join nested_fields on top_level.full_data_type = nested_fields.nested_type
    )

    select
        table_catalog as database_name,
        table_schema as schema_name,
        table_name,
        column_name,
        column_path,
        depth,
        row_number() over (partition by table_schema, table_name order by ordinal_position, field_number) as position,
        full_data_type as data_type,
        is_nullable,
        comment as description
    from all_levels;

-- definitions
select table_schema as schema_name, table_name, view_definition as definition
    from `main`.information_schema.views
    where table_schema <> 'information_schema' and lower(table_schema) in ('sales');

-- primary_keys
select usages.table_schema as schema_name, usages.table_name, usages.column_name
    from `main`.information_schema.key_column_usage as usages
    inner join `main`.information_schema.table_constraints as constraints
        on
            usages.constraint_schema = constraints.constraint_schema
            and usages.constraint_name = constraints.constraint_name
    where constraints.constraint_type = 'PRIMARY KEY' and usages.table_schema <> 'information_schema' and lower(usages.table_schema) in ('sales');

-- foreign_keys
select
        concat(pointing.constraint_schema, '.', pointing.constraint_name) as key_name,
        pointing.table_schema as from_schema,
        pointing.table_name as from_table,
        pointing.column_name as from_column,
        targets.table_schema as to_schema,
        targets.table_name as to_table,
        targets.column_name as to_column,
        pointing.ordinal_position as position
    from `main`.information_schema.key_column_usage as pointing
    inner join `main`.information_schema.referential_constraints as referring
        on
            pointing.constraint_schema = referring.constraint_schema
            and pointing.constraint_name = referring.constraint_name
    inner join `main`.information_schema.key_column_usage as targets
        on
            referring.unique_constraint_schema = targets.constraint_schema
            and referring.unique_constraint_name = targets.constraint_name
            and pointing.position_in_unique_constraint = targets.ordinal_position
    where pointing.table_schema <> 'information_schema' and lower(pointing.table_schema) in ('sales');
