    select schema_name, table_name, coalesce(change_token, '') as token
    from (
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

    
    type_uses as (
        select relations.oid as root_oid, columns.atttypid as type_oid
        from relations
        inner join pg_catalog.pg_attribute as columns on relations.oid = columns.attrelid
        where columns.attnum > 0 and columns.atttypid >= 16384

        union

        select type_uses.root_oid, within.type_oid
        from type_uses
        inner join pg_catalog.pg_type as types on type_uses.type_oid = types.oid
        cross join lateral (
            select types.typelem as type_oid
            union all
            select types.typbasetype
            union all
            select atttypid from pg_catalog.pg_attribute where attrelid = types.typrelid and attnum > 0
        ) as within
        where within.type_oid >= 16384
    ),

    labels as (
        select enumtypid as type_oid, string_agg(enumlabel, ',' order by enumsortorder) as labels
        from pg_catalog.pg_enum
        group by enumtypid
    ),

    used_types as (
        select
            type_uses.root_oid,
            string_agg(
                concat_ws(':', type_uses.type_oid, composites.relnatts, labels.labels), ',' order by type_uses.type_oid
            ) as state
        from type_uses
        inner join pg_catalog.pg_type as types on type_uses.type_oid = types.oid
        left join pg_catalog.pg_class as composites on types.typrelid = composites.oid
        left join labels on type_uses.type_oid = labels.type_oid
        group by type_uses.root_oid
    ),

    computed_columns as (
        select expressions.adrelid as part_oid, string_agg(cast(expressions.oid as text), ',' order by expressions.oid) as state
        from pg_catalog.pg_attrdef as expressions
        inner join pg_catalog.pg_attribute as columns
            on expressions.adrelid = columns.attrelid and expressions.adnum = columns.attnum and columns.attgenerated = 'v'
        group by expressions.adrelid
    ),

    part_states as (
        select
            parts.root_oid,
            bool_or(classes.relkind = 'f') as has_foreign_parts,
            string_agg(
                concat_ws(
                    ':',
                    parts.part_oid,
                    classes.relfilenode,
                    classes.relnatts,
                    counters.n_tup_ins + counters.n_tup_upd + counters.n_tup_del,
                    computed_columns.state
                ),
                ',' order by parts.part_oid
            ) as state
        from parts
        inner join pg_catalog.pg_class as classes on parts.part_oid = classes.oid
        left join pg_catalog.pg_stat_all_tables as counters on parts.part_oid = counters.relid
        left join computed_columns on parts.part_oid = computed_columns.part_oid
        group by parts.root_oid
    ),

    counting as (
        select
            databases.datid,
            extract(epoch from databases.stats_reset) as reset_at,
            extract(epoch from archiver.stats_reset) as lost_at,
            (select setting from pg_catalog.pg_settings where name = 'track_counts') = 'on'
            and not exists (
                select *
                from pg_catalog.pg_db_role_setting
                where array_to_string(setconfig, ' ') like '%track_counts=%'
            ) as is_complete
        from pg_catalog.pg_stat_database as databases
        cross join pg_catalog.pg_stat_archiver as archiver
        where databases.datname = current_database()
    ),

    tokens as (
        select
            part_states.root_oid,
            case
                when counting.is_complete and not part_states.has_foreign_parts and not row_security_active(part_states.root_oid)
                    then md5(concat_ws(
                        ' ', part_states.state, used_types.state, counting.datid, counting.reset_at, 'lost', counting.lost_at
                    ))
            end as change_token
        from part_states
        left join used_types on part_states.root_oid = used_types.root_oid
        cross join counting
    )

    select
        cast(current_database() as text) as database_name,
        relations.schema_name,
        relations.table_name,
        sizes.row_count,
        sizes.byte_count,
        tokens.change_token
    from relations
    left join sizes on relations.oid = sizes.root_oid
    left join tokens on relations.oid = tokens.root_oid
) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not ((lower(table_name)) collate "C" ~ '__dbt_(tmp|backup)')) as changes;
