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

        select parts.root_oid, pg_inherits.inhrelid
        from parts
        inner join pg_catalog.pg_inherits on parts.part_oid = pg_inherits.inhparent
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

    tokens as (
        select
            parts.root_oid,
            case
                when bool_or(classes.relkind = 'f') or (select setting from pg_catalog.pg_settings where name = 'track_counts') = 'off' then null
                else md5(string_agg(
                    concat_ws(
                        ':',
                        parts.part_oid,
                        counters.n_tup_ins + counters.n_tup_upd + counters.n_tup_del,
                        pg_catalog.pg_relation_size(parts.part_oid) = 0,
                        extract(epoch from databases.stats_reset)
                    ),
                    ',' order by parts.part_oid
                ))
            end as change_token
        from parts
        inner join pg_catalog.pg_class as classes on parts.part_oid = classes.oid
        inner join pg_catalog.pg_stat_database as databases on databases.datname = current_database()
        left join pg_catalog.pg_stat_all_tables as counters on parts.part_oid = counters.relid
        group by parts.root_oid
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
        and not (lower(schema_name) = 'public_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not ((lower(table_name)) collate "C" ~ '__dbt_(tmp|backup)')) as changes;
