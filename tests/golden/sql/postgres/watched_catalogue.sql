    with tables as (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (
    
    with recursive relations as (
        select
            classes.oid,
            cast(schemas.nspname as text) as schema_name,
            cast(classes.relname as text) as table_name,
            case classes.relkind when 'v' then 'view' else 'table' end as table_kind
        from pg_catalog.pg_class as classes
        inner join pg_catalog.pg_namespace as schemas on classes.relnamespace = schemas.oid
        where
            classes.relkind in ('r', 'p', 'v', 'm', 'f')
            and not classes.relispartition
            and schemas.nspname <> 'information_schema'
            and left(schemas.nspname, 3) <> 'pg_'
            and not exists (
                select *
                from pg_catalog.pg_depend as owned
                where owned.classid = 'pg_catalog.pg_class'::regclass and owned.objid = classes.oid and owned.deptype = 'e'
            )
    ),

    parts as (
        select oid as root_oid, oid as part_oid from relations where table_kind = 'table'

        union

        select parts.root_oid, children.inhrelid
        from parts
        inner join pg_catalog.pg_inherits as children
            on parts.part_oid = children.inhparent and coalesce(to_jsonb(children) ->> 'inhdetachpending', 'false') = 'false'
    ),

    part_sizes as (
        select
            parts.root_oid,
            pg_catalog.pg_table_size(parts.part_oid) as byte_count,
            case
                when classes.relkind = 'p' then 0
                when classes.relkind = 'f' then case when classes.reltuples >= 0 then classes.reltuples end
                when counters.n_live_tup > 0 then counters.n_live_tup
                when storage.pages = 0 then 0
                when classes.reltuples > 0 and classes.relpages > 0
                    then round(classes.reltuples / classes.relpages * storage.pages)
            end as row_count
        from parts
        inner join pg_catalog.pg_class as classes on parts.part_oid = classes.oid
        left join pg_catalog.pg_stat_all_tables as counters on parts.part_oid = counters.relid
        cross join lateral (
            select pg_catalog.pg_relation_size(parts.part_oid) / cast((select setting from pg_catalog.pg_settings where name = 'block_size') as integer) as pages
        ) as storage
    ),

    sizes as (
        select
            root_oid,
            case when count(*) = count(row_count) then cast(sum(row_count) as bigint) end as row_count,
            cast(sum(byte_count) as bigint) as byte_count
        from part_sizes
        group by root_oid
    ),

    column_counts as (
        select attrelid, count(*) as column_count
        from pg_catalog.pg_attribute
        where attnum > 0 and not attisdropped
        group by attrelid
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        relations.table_kind,
        sizes.row_count as row_count_estimate,
        coalesce(column_counts.column_count, 0) as column_count,
        pg_catalog.obj_description(relations.oid, 'pg_class') as description
    from relations
    left join sizes on relations.oid = sizes.root_oid
    left join column_counts on relations.oid = column_counts.attrelid
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not ((lower(table_name)) collate "C" ~ '__dbt_(tmp|backup)')
    ),

    columns as (
        
    with recursive relations as (
        select
            classes.oid,
            cast(schemas.nspname as text) as schema_name,
            cast(classes.relname as text) as table_name,
            case classes.relkind when 'v' then 'view' else 'table' end as table_kind
        from pg_catalog.pg_class as classes
        inner join pg_catalog.pg_namespace as schemas on classes.relnamespace = schemas.oid
        where
            classes.relkind in ('r', 'p', 'v', 'm', 'f')
            and not classes.relispartition
            and schemas.nspname <> 'information_schema'
            and left(schemas.nspname, 3) <> 'pg_'
            and not exists (
                select *
                from pg_catalog.pg_depend as owned
                where owned.classid = 'pg_catalog.pg_class'::regclass and owned.objid = classes.oid and owned.deptype = 'e'
            )
    ),

    -- Each domain with its chain of base types.
    below_domains as (
        select oid as domain_oid, typbasetype as type_oid, typtypmod as type_modifier, typnotnull as is_required
        from pg_catalog.pg_type
        where typtype = 'd'

        union all

        select below_domains.domain_oid, types.typbasetype, types.typtypmod, below_domains.is_required or types.typnotnull
        from below_domains
        inner join pg_catalog.pg_type as types on below_domains.type_oid = types.oid and types.typtype = 'd'
    ),

    domains as (
        select below_domains.*
        from below_domains
        inner join pg_catalog.pg_type as types on below_domains.type_oid = types.oid and types.typtype <> 'd'
    ),

    enumerations as (
        select
            enumtypid as type_oid,
            'enum(' || string_agg('''' || replace(enumlabel, '''', '''''') || '''', ', ' order by enumsortorder) || ')' as spelling
        from pg_catalog.pg_enum
        group by enumtypid
    ),

    all_levels as (
        select
            relations.oid as table_oid,
            cast(columns.attname as text) as column_name,
            case when columns.attname ~ '[."]' then '"' || replace(columns.attname, '"', '""') || '"' else cast(columns.attname as text) end as column_path,
            0 as depth,
            array[cast(columns.attnum as integer)] as place,
            coalesce(domains.type_oid, columns.atttypid) as type_oid,
            coalesce(domains.type_modifier, columns.atttypmod) as type_modifier,
            columns.attnotnull or coalesce(domains.is_required, false) as is_required
        from relations
        inner join pg_catalog.pg_attribute as columns
            on relations.oid = columns.attrelid and columns.attnum > 0 and not columns.attisdropped
        left join domains on columns.atttypid = domains.domain_oid

        union all

        select
            outer_level.table_oid,
            outer_level.column_name,
            outer_level.column_path || '.' || case when fields.attname ~ '[."]' then '"' || replace(fields.attname, '"', '""') || '"' else cast(fields.attname as text) end,
            outer_level.depth + 1,
            outer_level.place || cast(fields.attnum as integer),
            coalesce(domains.type_oid, fields.atttypid),
            coalesce(domains.type_modifier, fields.atttypmod),
            false
        from all_levels as outer_level
        inner join pg_catalog.pg_type as types on outer_level.type_oid = types.oid and types.typtype = 'c'
        inner join pg_catalog.pg_attribute as fields
            on types.typrelid = fields.attrelid and fields.attnum > 0 and not fields.attisdropped
        left join domains on fields.atttypid = domains.domain_oid
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        all_levels.column_name,
        all_levels.column_path,
        all_levels.depth,
        row_number() over (partition by relations.oid order by all_levels.place) as position,
        case
            when types.typtype = 'c' then 'struct<' || pg_catalog.format_type(all_levels.type_oid, null) || '>'
            when enumerations.type_oid = types.typelem then enumerations.spelling || '[]'
            when enumerations.type_oid is not null then enumerations.spelling
            else pg_catalog.format_type(all_levels.type_oid, all_levels.type_modifier)
        end as data_type,
        not all_levels.is_required as is_nullable,
        case
            when all_levels.depth = 0 then pg_catalog.col_description(relations.oid, all_levels.place[1])
        end as description
    from all_levels
    inner join relations on all_levels.table_oid = relations.oid
    inner join pg_catalog.pg_type as types on all_levels.type_oid = types.oid
    left join enumerations on types.oid = enumerations.type_oid or types.typelem = enumerations.type_oid

    ),

    column_lists as (
        select
            schema_name,
            table_name,
            md5('[' || string_agg(coalesce(cast(to_json(column_path || ' ' || data_type || case when is_nullable then ' null ' else ' ' end || coalesce(description, '')) as text), 'null'), ',' order by position) || ']') as column_token
        from columns
        group by schema_name, table_name
    ),

    definitions as (
        
    select schema_name, table_name, pg_catalog.pg_get_viewdef(oid) as definition
    from (
        select
            classes.oid,
            cast(schemas.nspname as text) as schema_name,
            cast(classes.relname as text) as table_name,
            case classes.relkind when 'v' then 'view' else 'table' end as table_kind
        from pg_catalog.pg_class as classes
        inner join pg_catalog.pg_namespace as schemas on classes.relnamespace = schemas.oid
        where
            classes.relkind in ('r', 'p', 'v', 'm', 'f')
            and not classes.relispartition
            and schemas.nspname <> 'information_schema'
            and left(schemas.nspname, 3) <> 'pg_'
            and not exists (
                select *
                from pg_catalog.pg_depend as owned
                where owned.classid = 'pg_catalog.pg_class'::regclass and owned.objid = classes.oid and owned.deptype = 'e'
            )) as relations
    where table_kind = 'view'

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
