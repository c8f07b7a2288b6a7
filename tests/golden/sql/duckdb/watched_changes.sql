    select schema_name, table_name, coalesce(change_token, '') as token
    from (
    select * from (
        select
            *,
            max(case when lower(table_name) like '%linker_attempts%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_scans%' then 1 else 0 end) over (partition by schema_name) +
            max(case when lower(table_name) like '%linker_tables%' then 1 else 0 end) over (partition by schema_name) as artifact_signs
        from (with contents as (
        select 1 as place, count(*) as row_count,
            concat(bit_xor(hash(linker_row)), ' ', sum(hash(linker_row))) as token
        from (select * exclude ("ssn", "pay"), 1, "pay" is null from "shop"."sales"."orders") as linker_row union all
        select 2, count(*),
            concat(bit_xor(hash(linker_row)), ' ', sum(hash(linker_row)))
        from "shop"."sa""les"."it's ""odd""" as linker_row union all
        select 3, count(*),
            case when epoch(now()) < 1767225600 then 'untold 1767225600' else 'to be told again' end
        from "shop"."sales"."untold" as linker_row
    ),

    names as (
        
    select unnest(from_json('[{"place": 1, "schema_name": "sales", "table_name": "orders"}, {"place": 2, "schema_name": "sa\"les", "table_name": "it''s \"odd\""}, {"place": 3, "schema_name": "sales", "table_name": "untold"}]', '[{"place": "bigint", "schema_name": "varchar", "table_name": "varchar"}]'), recursive := true)

    )

    select schema_name, table_name, row_count, concat(row_count, ' ', token) as change_token
    from names
    inner join contents on names.place = contents.place) as listed
    ) as marked
    where
        lower(schema_name) not in ('information_schema')
        and not (lower(schema_name) = 'agents' and lower(table_name) in ('linker_tables', 'linker_columns', 'linker_joins', 'linker_families', 'root'))
        and not (lower(schema_name) = 'main_linker' and lower(table_name) in ('linker_profile_l1', 'linker_profile_l2', 'linker_profile_l3', 'linker_plan', 'linker_attempts', 'linker_changes', 'linker_scans', 'linker_columns', 'linker_declared_columns', 'linker_tables', 'linker_runs', 'linker_join_measures', 'linker_join_columns', 'linker_joins', 'linker_join_candidates', 'linker_composite_keys', 'linker_families'))
        and not (artifact_signs = 3 and lower(table_name) like '%linker_%')
        and not regexp_matches(lower(table_name), '__dbt_(tmp|backup)')) as changes;
