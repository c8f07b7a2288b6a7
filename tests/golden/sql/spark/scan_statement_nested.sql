drop table if exists linker.linker_stage_thread_1;

create table linker.linker_stage_thread_1 as
with source as (
        select
            `address` as b1,
            `lines` as b2,
            `document` as b3,
            cast(null as double) as row_order,
            true as is_in_sample
        from `shop`.`sales`.`orders`
        
    )

    select aggregated.*, coalesce(cardinality(collected), 0) as sample_row_count
    from (
    select
        count(*) as row_count,
        count(b1) as value_count_1,
        count((b1).`city`) as value_count_2,
        min((b1).`city`) as min_value_2,
        max((b1).`city`) as max_value_2,
        min(length((b1).`city`)) as min_length_2,
        max(length((b1).`city`)) as max_length_2,
        avg(length((b1).`city`)) as mean_length_2,
        count(b2) as value_count_3,
        min(cardinality(b2)) as min_length_3,
        max(cardinality(b2)) as max_length_3,
        avg(cardinality(b2)) as mean_length_3,
        count(b3) as value_count_6,
        collect_list(case when is_in_sample then struct(row_order as row_order, b1 as b1, b2 as b2, case when length(to_json(b3)) <= 16384 then b3 end as b3) end) as collected
    from source
    ) as aggregated;

set spark.sql.optimizer.excludedRules=org.apache.spark.sql.catalyst.optimizer.PushDownPredicates,org.apache.spark.sql.catalyst.optimizer.CollapseProject,org.apache.spark.sql.catalyst.optimizer.InferFiltersFromConstraints,org.apache.spark.sql.catalyst.optimizer.PruneFilters;

set spark.sql.codegen.wholeStage=false;

set spark.sql.codegen.factoryMode=NO_CODEGEN;

set spark.sql.shuffle.partitions=1;

set spark.sql.adaptive.enabled=false;

insert into linker.linker_scans (attempt_id, database_name, schema_name, table_name, fingerprint, scanned_at, column_path, is_discovered, seen_in, value_kind, privacy, personal_data, row_count, value_count, sample_row_count, is_sampled, distinct_count, distinct_is_exact, min_value, max_value, mean, deviation, min_length, max_length, mean_length, top_values, patterns, quantiles, top_value_share, entropy, monotonicity, day_count, largest_gap_days)
with scan_1 as (
select * from linker.linker_stage_thread_1
),


tables as (
    select
        1 as table_number,
        'run.1' as attempt_id,
        'shop' as database_name,
        'sales' as schema_name,
        'orders' as table_name,
        'f1' as fingerprint,
        false as is_read_in_part,
        scan_1.row_count,
        scan_1.sample_row_count
    from scan_1
    
),

names as (
    
    select table_number, column_number, column_path, value_kind, element_kind, privacy, personal_data_hint, is_measured, is_collected
    from (
        values
        (1, 1, 'address', 'struct', 'struct', 'detect', cast('address' as string), true, false),
        (1, 2, 'address.city', 'text', 'text', 'detect', cast('thing' as string), true, true),
        (1, 3, 'lines', 'list', 'list', 'detect', cast(null as string), true, false),
        (1, 4, 'lines.sku', 'text', 'text', 'detect', cast('thing' as string), false, true),
        (1, 5, 'lines.labels', 'list', 'text', 'detect', cast(null as string), false, true),
        (1, 6, 'document', 'json', 'json', 'detect', cast(null as string), true, true)
    ) as inline_rows (table_number, column_number, column_path, value_kind, element_kind, privacy, personal_data_hint, is_measured, is_collected)

),

row_values as (
    
    select measured.*
    from scan_1
    lateral view inline(array(struct(1 as column_number, cast(value_count_1 as bigint) as value_count, cast(null as bigint) as distinct_estimate, cast(null as string) as min_value, cast(null as string) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(null as bigint) as min_length, cast(null as bigint) as max_length, cast(null as double) as mean_length),
        struct(2 as column_number, cast(value_count_2 as bigint) as value_count, cast(null as bigint) as distinct_estimate, left(cast(min_value_2 as string), 256) as min_value, left(cast(max_value_2 as string), 256) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(min_length_2 as bigint) as min_length, cast(max_length_2 as bigint) as max_length, cast(mean_length_2 as double) as mean_length),
        struct(3 as column_number, cast(value_count_3 as bigint) as value_count, cast(null as bigint) as distinct_estimate, cast(null as string) as min_value, cast(null as string) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(min_length_3 as bigint) as min_length, cast(max_length_3 as bigint) as max_length, cast(mean_length_3 as double) as mean_length),
        struct(4 as column_number, cast(null as bigint) as value_count, cast(null as bigint) as distinct_estimate, cast(null as string) as min_value, cast(null as string) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(null as bigint) as min_length, cast(null as bigint) as max_length, cast(null as double) as mean_length),
        struct(5 as column_number, cast(null as bigint) as value_count, cast(null as bigint) as distinct_estimate, cast(null as string) as min_value, cast(null as string) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(null as bigint) as min_length, cast(null as bigint) as max_length, cast(null as double) as mean_length),
        struct(6 as column_number, cast(value_count_6 as bigint) as value_count, cast(null as bigint) as distinct_estimate, cast(null as string) as min_value, cast(null as string) as max_value, cast(null as double) as mean, cast(null as double) as deviation, cast(null as bigint) as min_length, cast(null as bigint) as max_length, cast(null as double) as mean_length))) measured as column_number, value_count, distinct_estimate, min_value, max_value, mean, deviation, min_length, max_length, mean_length

    
),

measured as (
    select
        names.*,
        row_values.value_count,
        row_values.distinct_estimate,
        row_values.min_value,
        row_values.max_value,
        row_values.mean,
        row_values.deviation,
        row_values.min_length,
        row_values.max_length,
        row_values.mean_length
    from names
    left join row_values on names.column_number = row_values.column_number
),

sample_values as (
    select column_number, row_order, member_place, value, number
    from (
    with sample_rows as (
        select
            sampled.row_order as row_order,
            1 as member_place,
            sampled.b1 as b1,
            sampled.b2 as b2,
            sampled.b3 as b3
        from scan_1
        lateral view explode(collected) unnested as sampled
    )

    select slots.column_number, row_order, member_place, slots.value, slots.number
    from sample_rows
    lateral view inline(array(
        struct(2 as column_number, case when length(cast((b1).`city` as string)) <= 256 then cast((b1).`city` as string) end as value, cast(null as double) as number),
        struct(6 as column_number, case when length(to_json(b3)) <= 16384 then to_json(b3) end as value, cast(null as double) as number)
    )) slots as column_number, value, number
    union all
    select
        4 as column_number,
        row_order,
        member_place,
        case when length(cast(element as string)) <= 256 then cast(element as string) end as value,
        cast(null as double) as number
    from sample_rows
    lateral view explode(transform(b2, element -> element.`sku`)) elements as element
    union all
    select
        5 as column_number,
        row_order,
        member_place,
        case when length(cast(element as string)) <= 256 then cast(element as string) end as value,
        cast(null as double) as number
    from sample_rows
    lateral view explode(flatten(filter(transform(b2, element -> element.`labels`), element -> element is not null))) elements as element
) as sampled_1
    
),

documents as (
    select column_number + 1000000 * (member_place - 1) as column_number, value
    from (
        select
            column_number,
            member_place,
            value,
            row_number() over (partition by column_number order by place_in_member, member_place) as place
        from (
            select
                column_number,
                member_place,
                value,
                row_number() over (partition by column_number, member_place order by row_order) as place_in_member
            from sample_values
            where column_number in (6) and value is not null
        ) as numbered_in_member
    ) as numbered
    where place <= 1000
),

document_counts as (
    select column_number, count(value) as document_count
    from sample_values
    where column_number in (6)
    group by column_number
),

laid_bare as (
    select
        mod(column_number, 1000000) as column_number,
        1 + cast(floor(column_number / 1000000) as bigint) as member_place,
        sub_path,
        leaf_kind,
        value
    from (
    with nodes_0 as (
        select column_number, '' as sub_path, parse_json(value) as node, true as is_open
        from documents
    ),
    
    nodes_1 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_0 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_2 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_1 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_3 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_2 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_4 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_3 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_5 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_4 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_6 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_5 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_7 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_6 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_8 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_7 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_9 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_8 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    ),
    
    nodes_10 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_9 as nodes
        lateral view inline(concat(
            array(struct(cast(null as string) as step, nodes.node as node, false as is_open)),
            coalesce(transform(
                map_entries(if(nodes.is_open, try_variant_get(nodes.node, '$', 'map<string,variant>'), null)),
                member -> struct(
                    if(
                        contains(member.key, '.') or contains(member.key, '"'),
                        concat('"', replace(member.key, '"', '""'), '"'),
                        member.key
                    ) as step,
                    member.value as node,
                    true as is_open
                )
            ), array()),
            coalesce(transform(
                if(nodes.is_open, try_variant_get(nodes.node, '$', 'array<variant>'), null),
                element -> struct(cast(null as string) as step, element as node, true as is_open)
            ), array())
        )) child as step, node, is_open
    )
    

    select
        column_number,
        sub_path,
        case
            when node_type = 'STRING' then 'text'
            when node_type like 'OBJECT%' then 'struct'
            when node_type = 'BOOLEAN' then 'boolean'
            when node_type = 'VOID' then 'null'
            when node_type = 'BIGINT' then 'integer'
            else 'number'
        end as leaf_kind,
        case when node_type not like 'OBJECT%' then cast(node as string) end as value
    from (
        select column_number, sub_path, node, schema_of_variant(node) as node_type
        from nodes_10
    ) as typed
    where node_type not like 'ARRAY%' and not (sub_path = '' and node_type like 'OBJECT%')

    ) as leaves_of_documents
),

paths_0 as (
    select
        column_number,
        sub_path,
        case column_number
            when 6 then case
        when regexp_like('sales.orders.document.' || lower(sub_path), '^(.*\\.orders\\.api_key)($|[.])') then 'hide'
        when regexp_like('sales.orders.document.' || lower(sub_path), '^(.*\\..*\\..*passwor.*|.*\\..*\\..*passwd.*|.*\\..*\\..*passphrase.*|.*\\..*\\..*pwd|.*\\..*\\..*pwd_hash|.*\\..*\\..*secret|.*\\..*\\..*secret_.*|.*\\..*\\..*secretkey.*|.*\\..*\\..*token|.*\\..*\\..*token_hash|.*\\..*\\..*access_token_.*|.*\\..*\\..*refresh_token_.*|.*\\..*\\..*api_key.*|.*\\..*\\..*apikey.*|.*\\..*\\..*access_key.*|.*\\..*\\..*accesskey.*|.*\\..*\\..*private_key.*|.*\\..*\\..*privatekey.*|.*\\..*\\..*encryption_key.*|.*\\..*\\..*credentials.*|.*\\..*\\..*cvv|.*\\..*\\..*cvc|.*\\..*\\..*ssn|.*\\..*\\..*ssn_.*|.*\\..*\\..*social_security.*)($|[.])') then 'hide'
        else 'detect'
    end
        end as privacy
    from (select distinct column_number, sub_path from laid_bare) as found
),

leaves_0 as (
    select laid_bare.*, paths_0.privacy
    from laid_bare
    inner join paths_0 on laid_bare.column_number = paths_0.column_number and laid_bare.sub_path = paths_0.sub_path
    where paths_0.privacy <> 'exclude'
),
steps_1 as (
    select
        column_number,
        sub_path,
        privacy,
        leaf_count,
        first_kind,
        last_kind,
        regexp_replace(sub_path, '[.]?("([^"]|"")*"|[^."]*)$', '') as parent,
        get(regexp_extract_all(sub_path, '("(?:[^"]|"")*"|[^."]*)$', 1), 0) as step
    from (
        select
            column_number,
            sub_path,
            case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
            count(*) as leaf_count,
            min(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as first_kind,
            max(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as last_kind
        from leaves_0
        group by column_number, sub_path
    ) as counted
),

objects_1 as (
    select column_number, sub_path, count(*) as object_count
    from leaves_0
    where leaf_kind = 'struct'
    group by column_number, sub_path

    union all

    select mod(column_number, 1000000) as column_number, '' as sub_path, count(*) as object_count
    from documents
    group by mod(column_number, 1000000)
),

maps_1 as (
    select steps.column_number, steps.parent, case max(
        case steps.privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy
    from steps_1 as steps
    left join objects_1 as objects
        on steps.column_number = objects.column_number and steps.parent = objects.sub_path
    where steps.sub_path <> '' and steps.step <> '*'
    group by steps.column_number, steps.parent
    having (sum(case when regexp_like(steps.step, '[^\\]\\[ @(){}<>,;:"/]@([^\\]\\[ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 1 else 0 end) >= 0.5 * count(*))
    or (
        (min(steps.first_kind) = max(steps.last_kind) or max(steps.last_kind) is null)
        and ((count(*) >= 10
        and sum(case when regexp_like(steps.step, '^"?[-+]?[0-9]|[0-9][0-9][0-9]|@[^@]+[.]|^"?[0-9a-fA-F]{8}-') then 1 else 0 end) >= 0.8 * count(*)) or (count(*) >= 20
        and sum(steps.leaf_count) <= 0.2 * count(*) * max(objects.object_count)
        and max(steps.leaf_count) <= 0.5 * max(objects.object_count)))
    )
),

-- The outermost map of a path, and the path after its key.
in_maps_1 as (
    select
        column_number,
        sub_path,
        parent,
        privacy,
        get(regexp_extract_all(inside, '^("(?:[^"]|"")*"|[^."]*)', 1), 0) as step,
        regexp_replace(inside, '^("([^"]|"")*"|[^."]*)', '') as rest
    from (
        select
            steps.column_number,
            steps.sub_path,
            maps.parent,
            maps.privacy,
            case when maps.parent = '' then steps.sub_path else substr(steps.sub_path, length(maps.parent) + 2) end as inside,
            row_number() over (partition by steps.column_number, steps.sub_path order by length(maps.parent)) as place
        from steps_1 as steps
        inner join maps_1 as maps
            on
                steps.column_number = maps.column_number
                and steps.sub_path <> ''
                and (maps.parent = '' or left(steps.sub_path, length(maps.parent) + 1) = maps.parent || '.')
    ) as inside_maps
    where place = 1
),

leaves_1 as (
    select
        leaves.column_number,
        leaves.member_place,
        case
            when in_maps.sub_path is null then leaves.sub_path
            when in_maps.parent = '' then '*' || in_maps.rest
            else in_maps.parent || '.*' || in_maps.rest
        end as sub_path,
        leaves.leaf_kind,
        leaves.value,
        coalesce(in_maps.privacy, leaves.privacy) as privacy
    from leaves_0 as leaves
    left join in_maps_1 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    -- The object itself has its keys as values.
    left join maps_1 as maps
        on leaves.column_number = maps.column_number and leaves.sub_path = maps.parent and leaves.leaf_kind = 'struct'
    where maps.parent is null

    union all

    select
        leaves.column_number,
        leaves.member_place,
        in_maps.parent as sub_path,
        'text' as leaf_kind,
        case
            when left(in_maps.step, 1) = '"' then replace(substr(in_maps.step, 2, length(in_maps.step) - 2), '""', '"')
            else in_maps.step
        end as value,
        in_maps.privacy
    from leaves_0 as leaves
    inner join in_maps_1 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    where in_maps.rest = ''
),
steps_2 as (
    select
        column_number,
        sub_path,
        privacy,
        leaf_count,
        first_kind,
        last_kind,
        regexp_replace(sub_path, '[.]?("([^"]|"")*"|[^."]*)$', '') as parent,
        get(regexp_extract_all(sub_path, '("(?:[^"]|"")*"|[^."]*)$', 1), 0) as step
    from (
        select
            column_number,
            sub_path,
            case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
            count(*) as leaf_count,
            min(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as first_kind,
            max(case leaf_kind when 'integer' then 'number' when 'null' then null else leaf_kind end) as last_kind
        from leaves_1
        group by column_number, sub_path
    ) as counted
),

objects_2 as (
    select column_number, sub_path, count(*) as object_count
    from leaves_1
    where leaf_kind = 'struct'
    group by column_number, sub_path

    union all

    select mod(column_number, 1000000) as column_number, '' as sub_path, count(*) as object_count
    from documents
    group by mod(column_number, 1000000)
),

maps_2 as (
    select steps.column_number, steps.parent, case max(
        case steps.privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy
    from steps_2 as steps
    left join objects_2 as objects
        on steps.column_number = objects.column_number and steps.parent = objects.sub_path
    where steps.sub_path <> '' and steps.step <> '*'
    group by steps.column_number, steps.parent
    having (sum(case when regexp_like(steps.step, '[^\\]\\[ @(){}<>,;:"/]@([^\\]\\[ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 1 else 0 end) >= 0.5 * count(*))
    or (
        (min(steps.first_kind) = max(steps.last_kind) or max(steps.last_kind) is null)
        and ((count(*) >= 10
        and sum(case when regexp_like(steps.step, '^"?[-+]?[0-9]|[0-9][0-9][0-9]|@[^@]+[.]|^"?[0-9a-fA-F]{8}-') then 1 else 0 end) >= 0.8 * count(*)) or (count(*) >= 20
        and sum(steps.leaf_count) <= 0.2 * count(*) * max(objects.object_count)
        and max(steps.leaf_count) <= 0.5 * max(objects.object_count)))
    )
),

-- The outermost map of a path, and the path after its key.
in_maps_2 as (
    select
        column_number,
        sub_path,
        parent,
        privacy,
        get(regexp_extract_all(inside, '^("(?:[^"]|"")*"|[^."]*)', 1), 0) as step,
        regexp_replace(inside, '^("([^"]|"")*"|[^."]*)', '') as rest
    from (
        select
            steps.column_number,
            steps.sub_path,
            maps.parent,
            maps.privacy,
            case when maps.parent = '' then steps.sub_path else substr(steps.sub_path, length(maps.parent) + 2) end as inside,
            row_number() over (partition by steps.column_number, steps.sub_path order by length(maps.parent)) as place
        from steps_2 as steps
        inner join maps_2 as maps
            on
                steps.column_number = maps.column_number
                and steps.sub_path <> ''
                and (maps.parent = '' or left(steps.sub_path, length(maps.parent) + 1) = maps.parent || '.')
    ) as inside_maps
    where place = 1
),

found_leaves as (
    select
        leaves.column_number,
        leaves.member_place,
        case
            when in_maps.sub_path is null then leaves.sub_path
            when in_maps.parent = '' then '*' || in_maps.rest
            else in_maps.parent || '.*' || in_maps.rest
        end as sub_path,
        leaves.leaf_kind,
        leaves.value,
        coalesce(in_maps.privacy, leaves.privacy) as privacy
    from leaves_1 as leaves
    left join in_maps_2 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    -- The object itself has its keys as values.
    left join maps_2 as maps
        on leaves.column_number = maps.column_number and leaves.sub_path = maps.parent and leaves.leaf_kind = 'struct'
    where maps.parent is null

    union all

    select
        leaves.column_number,
        leaves.member_place,
        in_maps.parent as sub_path,
        'text' as leaf_kind,
        case
            when left(in_maps.step, 1) = '"' then replace(substr(in_maps.step, 2, length(in_maps.step) - 2), '""', '"')
            else in_maps.step
        end as value,
        in_maps.privacy
    from leaves_1 as leaves
    inner join in_maps_2 as in_maps
        on leaves.column_number = in_maps.column_number and leaves.sub_path = in_maps.sub_path
    where in_maps.rest = ''
),

leaf_kinds as (
    select
        column_number,
        sub_path,
        case
            when max(case when leaf_kind = 'text' then 1 else 0 end) = 1 then 'text'
            when max(case when leaf_kind = 'number' then 1 else 0 end) = 1 then 'number'
            when max(case when leaf_kind = 'integer' then 1 else 0 end) = 1 then 'integer'
            when max(case when leaf_kind = 'boolean' then 1 else 0 end) = 1 then 'boolean'
            when max(case when leaf_kind = 'struct' then 1 else 0 end) = 1 then 'struct'
            else 'json'
        end as value_kind,
        case max(
        case privacy when 'show' then 1 when 'detect' then 2 when 'inherit' then 3 when 'mask' then 4 when 'hide' then 5 when 'exclude' then 6 end
    ) when 1 then 'show' when 2 then 'detect' when 3 then 'inherit' when 4 then 'mask' when 5 then 'hide' when 6 then 'exclude' end as privacy,
        row_number() over (partition by column_number order by count(*) desc, sub_path) as place
    from found_leaves
    group by column_number, sub_path
),

leaves as (
    select found_leaves.*
    from found_leaves
    inner join leaf_kinds
        on found_leaves.column_number = leaf_kinds.column_number and found_leaves.sub_path = leaf_kinds.sub_path
    where leaf_kinds.place <= 200
),

all_values as (
    select
        sample_values.column_number,
        '' as sub_path,
        names.element_kind as value_kind,
        names.privacy,
        sample_values.row_order,
        sample_values.member_place,
        sample_values.value,
        sample_values.number
    from sample_values
    inner join names on sample_values.column_number = names.column_number
    where sample_values.column_number not in (6)

    union all

    select
        leaves.column_number,
        leaves.sub_path,
        leaf_kinds.value_kind,
        leaf_kinds.privacy,
        cast(null as double) as row_order,
        leaves.member_place,
        case when leaf_kinds.privacy <> 'hide' then left(leaves.value, 256) end as value,
        case
            when leaf_kinds.privacy <> 'hide' and leaf_kinds.value_kind in ('integer', 'number') then try_cast(leaves.value as double)
        end as number
    from leaves
    inner join leaf_kinds
        on leaves.column_number = leaf_kinds.column_number and leaves.sub_path = leaf_kinds.sub_path
),

value_counts as (
    select
        column_number,
        sub_path,
        value,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        max(number) as number,
        count(*) as value_count,
        row_number() over (partition by column_number, sub_path order by count(*) desc, value) as place
    from all_values
    where value is not null
    group by column_number, sub_path, value
),

element_counts as (
    select
        column_number,
        sub_path,
        max(value_kind) as value_kind,
        max(privacy) as privacy,
        count(*) as element_count,
        count(value) as value_count
    from all_values
    group by column_number, sub_path
),

totals as (
    select
        column_number,
        sub_path,
        cast(sum(value_count) as bigint) as value_count,
        count(*) as distinct_count,
        sum(case when value_count = 1 then 1 else 0 end) as single_count,
        cast(max(value_count) as double) / sum(value_count) as top_value_share,
        (ln(sum(value_count)) - sum(value_count * ln(value_count)) / sum(value_count)) / ln(2) as entropy,
        min(value) as min_text,
        max(value) as max_text,
        min(number) as min_number,
        max(number) as max_number
    from value_counts
    group by column_number, sub_path
),

-- The smallest and the largest number inside a column as text: as text, 10 would precede 9, and a double has only about 16
-- digits.
ends as (
    select
        column_number,
        sub_path,
        coalesce(cast(min(min_integer) as string), min(case when number = min_number then value end)) as min_value,
        coalesce(cast(max(max_integer) as string), max(case when number = max_number then value end)) as max_value
    from (
        select
            value_counts.column_number,
            value_counts.sub_path,
            value_counts.value,
            value_counts.number,
            totals.min_number,
            totals.max_number,
            case
                when value_counts.value_kind = 'integer' and value_counts.number = totals.min_number
                    then try_cast(value_counts.value as decimal(36, 0))
            end as min_integer,
            case
                when value_counts.value_kind = 'integer' and value_counts.number = totals.max_number
                    then try_cast(value_counts.value as decimal(36, 0))
            end as max_integer
        from value_counts
        inner join totals
            on value_counts.column_number = totals.column_number and value_counts.sub_path = totals.sub_path
        inner join names on value_counts.column_number = names.column_number
        where value_counts.sub_path <> '' or not names.is_measured
    ) as placed
    group by column_number, sub_path
),

hints as (
    select
        column_number,
        sub_path,
        value_kind,
        case when value_kind = 'integer' and coalesce(hint, '') not in ('iban', 'card', 'national_id', 'phone', 'address', 'ip', 'name', 'birth_date', 'street', 'health', 'belief') then 'number' else hint end as hint,
        privacy in ('detect', 'inherit')
        and (
            value_kind in ('text', 'other')
            or coalesce(hint, '') in ('iban', 'card', 'national_id', 'phone', 'address', 'ip', 'name', 'birth_date', 'street', 'health', 'belief')
            -- Numbers as long as identity or card numbers.
            or (value_kind = 'integer' and coalesce(max_number, 0) between 1e10 and 1e19)
        ) as is_looked_over
    from (
        select element_counts.column_number, element_counts.sub_path, element_counts.value_kind, element_counts.privacy, case when element_counts.sub_path = '' then names.personal_data_hint else coalesce(case
        when regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '(^|_)_(is|has|num|count|n|nb|avg|sum|total|min|max|share|show|hide|require[sd]?|allow[sd]?)_|_(e|email|mail|mac|url|uri|web|wallet|contract|memory|bucket|email_?address)_addr|_(server|host|node|gateway|dns|subnet|proxy|listen|bind|router|firewall|broadcast)_ip') then null
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(iban|(bank_?)?account_?iban)s?_$')
            then 'iban'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(iban|(bank_?)?account_?iban)s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'iban'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_((card|cc|kreditkarten?|karten)_?(number|no|num|nr|nummer)|(credit|debit)_?card|pan|kreditkarte|numero_(de_)?(carte|tarjeta))s?_$')
            then 'card'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_((card|cc|kreditkarten?|karten)_?(number|no|num|nr|nummer)|(credit|debit)_?card|pan|kreditkarte|numero_(de_)?(carte|tarjeta))s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'card'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(ssn|sin|social_(security|insurance)|national_insurance|nino|insee|nir|dni|nie|nif|codice_fiscale|fiscal_code|tax_?(payer_?)?(id|number|no)|steuer_?(id|nummer|identifikations_?nummer)|idnr|bsn|burgerservicenummer|cpf|curp|cnp|egn|jmbg|oib|pesel|personn?ummer|personnummer|(national|personal|citizen|government|govt|resident)_?(id|number|no|identity)|nric|hkid|identity_(card|number|no|document)|id_?card|passport|passeport|pasaporte|passaporto|paspoort|(reise_?|personal)?ausweis|reisepass|aadhaa?r|rodne_cislo|c.dula|(passport|passeport|pasaporte|ausweis|personalausweis|reise_?pass|f.hrerschein|sozial_?versicherungs|sv|renten_?versicherungs|versicherten|kranken_?versicherungs)_?(number|numero|nummer|no|num|nr)|driv(er|ing)_?s?_?licen[cs]e(_(number|no|num))?|nhs_(number|no))s?_$')
            then 'national_id'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(ssn|sin|social_(security|insurance)|national_insurance|nino|insee|nir|dni|nie|nif|codice_fiscale|fiscal_code|tax_?(payer_?)?(id|number|no)|steuer_?(id|nummer|identifikations_?nummer)|idnr|bsn|burgerservicenummer|cpf|curp|cnp|egn|jmbg|oib|pesel|personn?ummer|personnummer|(national|personal|citizen|government|govt|resident)_?(id|number|no|identity)|nric|hkid|identity_(card|number|no|document)|id_?card|passport|passeport|pasaporte|passaporto|paspoort|(reise_?|personal)?ausweis|reisepass|aadhaa?r|rodne_cislo|c.dula|(passport|passeport|pasaporte|ausweis|personalausweis|reise_?pass|f.hrerschein|sozial_?versicherungs|sv|renten_?versicherungs|versicherten|kranken_?versicherungs)_?(number|numero|nummer|no|num|nr)|driv(er|ing)_?s?_?licen[cs]e(_(number|no|num))?|nhs_(number|no))s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'national_id'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_((tele)?phone|tele?fono?|telefone|telefoon|telephone|(tele)?fax|tel|mobile|mobil|mobiel|cell|handy|msisdn|whatsapp|festnetz|celular|movil|telemovel|cellulare|puhelin|((tele)?phone|telefon|tel|mobile|mobil|cell|handy|fax|contact|ruf|sms|whatsapp)_?(phone|number|numero|nummer|no|num|nr))s?_$')
            then 'phone'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_((tele)?phone|tele?fono?|telefone|telefoon|telephone|(tele)?fax|tel|mobile|mobil|mobiel|cell|handy|msisdn|whatsapp|festnetz|celular|movil|telemovel|cellulare|puhelin|((tele)?phone|telefon|tel|mobile|mobil|cell|handy|fax|contact|ruf|sms|whatsapp)_?(phone|number|numero|nummer|no|num|nr))s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'phone'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(ip|ipv|ip_?addr(ess)?|ip_?adresse|(client|remote|source|src|dest|dst|user|login|signup|visitor|peer|last|origin)_?ip|remote_?addr(ess)?|(x_)?forwarded_for|adresse_?ip|direccion_?ip|indirizzo_?ip)s?_$')
            then 'ip'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(ip|ipv|ip_?addr(ess)?|ip_?adresse|(client|remote|source|src|dest|dst|user|login|signup|visitor|peer|last|origin)_?ip|remote_?addr(ess)?|(x_)?forwarded_for|adresse_?ip|direccion_?ip|indirizzo_?ip)s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'ip'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(street|street_?(name|address|line)|(home|postal|mailing|billing|shipping|delivery|residential|street)_?address|address_?line|addr_?line|stra(ss|.)e|stra(ss|.)en?_?name|(liefer|rechnungs|wohn|post)_?(adresse|anschrift)|calle|logradouro|straat(naam)?|adresse_?postale)s?(_(kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new|prev|previous|name|text|txt|desc|description|code))?_$')
            then 'street'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(address|addr|adresse?|anschrift|direcci.n|direccion|indirizzo|endere.o|endereco|adres|domicilio)s?_$')
            then 'address'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(address|addr|adresse?|anschrift|direcci.n|direccion|indirizzo|endere.o|endereco|adres|domicilio)s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'address'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(date_?of_?birth|dob|birth_?(date|day|dt)|born_(on|at)|geburts_?(datum|tag)|geb_?(datum|dat|tag)|geboren(_am)?|date_(de_)?naissance|fecha_(de_)?nacimiento|data_(di_)?nascita|data_(de_)?nascimento|geboorte_?datum|f.dsels_?dato|f.delse_?datum|syntym.aika|data_urodzenia|datum_narozen.|do.um_tarihi)s?(_(kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new|prev|previous|name|text|txt|desc|description|code))?_$')
            then 'birth_date'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_((first|given|fore|middle|last|family|sur|second|maiden|birth|full|real|person)_?name|name_?(first|last|middle|full)|[flm]name|vor_?name|nach_?name|familien_?name|geburts_?name|ruf_?name|zu_?name|(vor_und_|voller_?)(nach|zu)?name|pr.nom|nom_(de_)?famille|nom_complet|nombre_(completo|de_pila)|(primer_|segundo_)?apellido|nome_completo|sobrenome|cognome|voor_?naam|achter_?naam|imi.|imi._i_nazwisko|nazwisko|for_?navn|etter_?navn|efter_?navn|f.r_?namn|efter_?namn|etunimi|sukunimi|kereszt_?n.v|vezet.k_?n.v|jm.no|p..jmen.|ad_?soyad.?|soyad.?|(person|people|persona|employee|staff|worker|colleague|manager|supervisor|patient|doctor|physician|nurse|therapist|practitioner|student|pupil|teacher|instructor|professor|tutor|lecturer|candidate|applicant|recruiter|passenger|guest|travell?er|attendee|participant|speaker|contact|contact_?person|recipient|addressee|beneficiary|insured|policy_?holder|card_?holder|account_?holder|driver|rider|courier|(sales_?)?rep|sales_?person|salesman|landlord|witness|victim|suspect|defendant|plaintiff|attorney|lawyer|judge|inmate|resident|citizen|voter|donor|volunteer|member|author|player|athlete|coach|referee|actor|actress|director|mother|father|spouse|guardian|sibling|husband|wife|next_of_kin|emergency_contact|signer|signatory|reviewer|approver|assignee|requester|mitarbeiter(in)?|angestellter?|patient(en|in)|arzt|.rztin|sch.ler|lehrer|bewerber|ansprech_?partner|kontakt_?person|teilnehmer|mitglied(er)?|versicherter?n?|fahrer|empf.nger|vater|mutter|ehepartner|employ.e?|m.decin|empleado|paciente|alumno|dipendente|paziente|medewerker|pracownik|funcion.rio)s?(_{0,2}|en|innen)(name|nom|nombre|nome|naam|navn|namn)|(user|person|profile)s?__(name|nom|nombre|nome|naam|navn|namn)|(person|people|persona|employee|staff|worker|colleague|manager|supervisor|patient|doctor|physician|nurse|therapist|practitioner|student|pupil|teacher|instructor|professor|tutor|lecturer|candidate|applicant|recruiter|passenger|guest|travell?er|attendee|participant|speaker|contact|contact_?person|recipient|addressee|beneficiary|insured|policy_?holder|card_?holder|account_?holder|driver|rider|courier|(sales_?)?rep|sales_?person|salesman|landlord|witness|victim|suspect|defendant|plaintiff|attorney|lawyer|judge|inmate|resident|citizen|voter|donor|volunteer|member|author|player|athlete|coach|referee|actor|actress|director|mother|father|spouse|guardian|sibling|husband|wife|next_of_kin|emergency_contact|signer|signatory|reviewer|approver|assignee|requester|mitarbeiter(in)?|angestellter?|patient(en|in)|arzt|.rztin|sch.ler|lehrer|bewerber|ansprech_?partner|kontakt_?person|teilnehmer|mitglied(er)?|versicherter?n?|fahrer|empf.nger|vater|mutter|ehepartner|employ.e?|m.decin|empleado|paciente|alumno|dipendente|paziente|medewerker|pracownik|funcion.rio|user|name)s?__(full|first|last|middle|given|family)|ansprech_?partner(in)?|kontakt_?person|contact_?person|konto_?inhaber|(card|account)_?holder|emergency_contact|next_of_kin)s?(_(kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new|prev|previous|name|text|txt|desc|description|code))?_$')
            then 'name'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(diagnos(is|es|e|en|tic|tico|i)|diagnosis_(code|name|text|description)|icd(_code)?|disease|illness|(medical|health|mental_health)_(condition|history|record|note|status|issue)|mental_health|allerg(y|ie|en|ien|ia)|medication|prescription|symptome?|blood_?(type|group)|hiv(_status)?|pregnan(t|cy)(_status)?|disability(_status)?|handicap|behinderung(s_?(grad|art))?|grad_der_behinderung|schwer_?behindert|(vor_?)?erkrankung(en)?|krankheit(en|s_?bild)?|befund|medikation|medikament|blut_?gruppe|schwangerschaft|vaccination(_status)?|impf_?status|comorbidit(y|ie)|maladie|enfermedad|malattia|choroba|diagn.stico|groupe_sanguin|grupo_sangu.neo|alergia)s?(_(kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new|prev|previous|name|text|txt|desc|description|code))?_$')
            then 'health'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(religion|religi(o|.n|.o|one)|religi(on|ous)_(affiliation|belief|group)|religious_denomination|religions_?zugeh(.|oe)rigkeit|konfession|faith|belief|(kirchen|church)_?(steuer|tax|zugeh(.|oe)rigkeit)(_?merkmal)?|ethnicity|ethnic_?(group|origin|background|category)|ethnie|ethnische_?(herkunft|zugeh(.|oe)rigkeit|gruppe)|etnia|race_?ethnicity|race_or_ethnicity|(person|people|persona|employee|staff|worker|colleague|manager|supervisor|patient|doctor|physician|nurse|therapist|practitioner|student|pupil|teacher|instructor|professor|tutor|lecturer|candidate|applicant|recruiter|passenger|guest|travell?er|attendee|participant|speaker|contact|contact_?person|recipient|addressee|beneficiary|insured|policy_?holder|card_?holder|account_?holder|driver|rider|courier|(sales_?)?rep|sales_?person|salesman|landlord|witness|victim|suspect|defendant|plaintiff|attorney|lawyer|judge|inmate|resident|citizen|voter|donor|volunteer|member|author|player|athlete|coach|referee|actor|actress|director|mother|father|spouse|guardian|sibling|husband|wife|next_of_kin|emergency_contact|signer|signatory|reviewer|approver|assignee|requester|mitarbeiter(in)?|angestellter?|patient(en|in)|arzt|.rztin|sch.ler|lehrer|bewerber|ansprech_?partner|kontakt_?person|teilnehmer|mitglied(er)?|versicherter?n?|fahrer|empf.nger|vater|mutter|ehepartner|employ.e?|m.decin|empleado|paciente|alumno|dipendente|paziente|medewerker|pracownik|funcion.rio|user|customer|client)s?_{1,2}race|political_(party|affiliation|view|opinion|leaning|orientation)|party_(affiliation|membership)|partei_?(zugeh(.|oe)rigkeit|mitgliedschaft)|politische_?(einstellung|meinung|gesinnung)|(trade_|labor_)?union_member(ship)?|trade_union|gewerkschaft(s_?(zugeh(.|oe)rigkeit|mitglied))?|sexual_(orientation|preference)|sexuelle_?orientierung|caste|godsdienst|wyznanie)s?(_(kana|kanji|katakana|romaji|latin|cyrillic|local|native|english|original|en|de|fr|es|ar|ascii|normali[sz]ed|clean|raw|old|new|prev|previous|name|text|txt|desc|description|code))?_$')
            then 'belief'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(_(v|val|value|wert)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|text|string|str)_?value|value_(text|string|str))s?_$')
            then 'setting'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(_(v|val|value|wert)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|text|string|str)_?value|value_(text|string|str))s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'setting'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(_(k|key|setting|config|param|parameter|option|property|variable)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|env)_?(key|name))s?_$')
            then 'setting_name'
        when
            regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(_(k|key|setting|config|param|parameter|option|property|variable)|(setting|config|configuration|param|parameter|option|property|attribute|variable|meta|env)_?(key|name))s?_') and not regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(type|kind|count|total|share|rate|ratio|rating|model|brand|os|device|status|flag|verified|confirmed|valid|code|label|at|on|by|date|datum|ts|time|hash|sessions|visits|users|clicks|views|orders|revenue|minutes|calls|length|format|index|score|quality|class|network|carrier|plan|provider|operator|prefix|country|city|region|state|zip|postcode|town|plz|ort|id|ids|key|fk|pk|sk|uuid|source|level|version|policy|enabled|required|category|group|order|rank|position|price|cost|amount|fee|expiry|day|month|year)_$')
            then 'setting_name'
        when regexp_like('_' || replace(regexp_replace(lower(regexp_replace(element_counts.sub_path, '([a-z0-9])([A-Z])', '$1_$2')), '[^.a-z\\x{00df}-\\x{ffff}]+', '_'), '.', '__') || '_', '_(brand|make|marke|maker|manufacturer|hersteller|vendor|supplier|lieferant(en)?|compan(y|ie)|firma|firmen|firm|organi[sz]ation|org|employer|merchant|store|shop|filiale|restaurant|hotel|venue|stadium|bank|insurer|agency|agencie|product|produkte?|produit|producto|prodotto|item|article|artikel|model|modell|title|titel|titre|titulo|titolo|song|track|album|film|movie|book|buch|serie|series|show|episode|game|character|figur|band|work|painting|city|citie|town|village|stadt|st.dte|ort|ville|ciudad|citt.|cidade|place|location|countr(y|ie)|land|l.nder|pays|pa.s|region|state|bundesland|province|county|countie|district|municipality|gemeinde|airport|station|bahnhof|port|harbou?r|island|river|mountain|lake|park|building|room|sku|version|release|build|firmware|revision|serial|part|teile?|order|bestell(ung)?|auftrags?|invoice|rechnungs?|tracking|shipment|ref|reference|barcode|ean|upc|isbn|issn|gtin|asin|code|categor(y|ie)|kategorie|type|typ|kind|status|class|colou?r|farbe|material|flavou?r|variet(y|ie)|department|abteilung|division|team|club|verein|league|school|schule|university|universitie|college|course|kurs|subject|language|sprache|currency|species|breed|plant|animal|ship|schiff|vessel|aircraft|event|campaign|project|projekt|workspace|warehouse|depot|factory|plant|machine|server|host|domain|app|application|package|library|module|file|folder|table|column|schema|gene|drug|medicine|ingredient|dish|recipe|wine|beer|day|month|holiday|ticket|license|licence|plan|tier)s?(_{1,2}(name|no|nr|num|number|nummer|label|text|title|titel|nom|nombre|nome|naam|bezeichnung|id|code))?_$|_(firmen|produkt|artikel|stadt|orts|marken|laender|l.nder|abteilungs|projekt|hotel|film|buch)(name|titel|nummer|nr|bezeichnung)_$') then 'thing'
    end, names.personal_data_hint) end as hint, totals.max_number as max_number
        from element_counts
        inner join names on element_counts.column_number = names.column_number
        left join totals on element_counts.column_number = totals.column_number and element_counts.sub_path = totals.sub_path
    ) as named
),

-- Tables of settings with a secret by its name.
secret_settings as (
    select distinct names.table_number
    from value_counts
    inner join names on value_counts.column_number = names.column_number
    inner join hints on value_counts.column_number = hints.column_number and value_counts.sub_path = hints.sub_path
    where hints.hint = 'setting_name' and regexp_like(lower(value_counts.value), '^[a-z0-9_.:/ -]*(passwor[dt]|passwd|passphrase|pwd|kennwort|secret|token|credentials?|(api|access|private|secret|auth|encryption|signing|license)[ _.-]?key)$')
),

frequent_values as (
    select
        value_counts.column_number,
        value_counts.sub_path,
        value_counts.value,
        value_counts.value_count,
        value_counts.place,
        value_counts.value_kind,
        hints.hint,
        case when hints.is_looked_over then case
        when hints.hint = 'number' and length(value_counts.value) < 11 then null
        when regexp_like(value_counts.value, '[0-9@:]|-----BEGIN') and regexp_like(value_counts.value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^\\]\\[ /:@]+:[^\\]\\[ /@]+@|hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]|(discord|discordapp)[.]com/api/webhooks/[0-9]|([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/|(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]|maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/|https?://[^ ]*[?&#;](([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket|X-Amz-(Signature|Credential)|X-Goog-Signature)=[^ &#]{8,}|https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,})|[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}|[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}|[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}|[$][PH][$][A-Za-z0-9./]{31}|(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}|(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}|[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}|(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])') then 'credential'
        when hints.hint in ('name', 'birth_date', 'street', 'health', 'belief')
            then
                case
                    when not regexp_like(value_counts.value, '[^ -/:-@]') then null
                    when hints.hint = 'street' then 'address'
                    else hints.hint
                end
        when not regexp_like(value_counts.value, '[0-9@:]')
            then case when coalesce(hints.hint, '') <> 'thing' and (
        length(value_counts.value) <= 48
        and regexp_like(value_counts.value, '^ *((Mr|Mrs|Ms|Miss|Dr|Prof|Dott|Sig|Ing|Herr|Frau|Sr|Sra|M|Mme|Mlle)[.]? )*[^\\]\\[ -@^-~][^\\]\\[ -&(-,/-@^-`{-~]*(,? ([^\\]\\[ -@^-~][^\\]\\[ -&(-,/-@^-`{-~]*|(van|von|de|der|den|da|dos|del|della|di|du|la|le|bin|al|el|ten|ter|zu|y|e))){0,3} *$')
        and (
            regexp_like(lower(value_counts.value), '(^|[ ,])(.ahin|.elik|.lodie|.lvarez|.lvaro|.mer|.ngel|.ric|.scar|.tienne|.ukasz|.zlem|.zt.rk|aarav|aaron|aarti|abdul|abdullah|abigail|adam|adams|adeyemi|aditya|adri.n|adriana|advika|agarwal|agnieszka|aguilar|agustin|agustina|ahmed|ahmet|ainhoa|aisha|aitor|ajay|akash|akcay|akira|alain|alan|albert|alberto|albrecht|alejandro|aleksandr|aleksandra|aleksey|alena|alessandro|alessia|alexander|alexandre|alexey|alexis|alfie|ali|alice|aline|alistair|allen|almeida|alonso|alves|am.lie|amanda|amelia|amina|aminata|amit|amoros|amy|ana|ana.s|ananya|anastasia|anders|andersen|anderson|andersson|andr.|andr.s|andrea|andreas|andrei|andrew|andrey|andrzej|angela|angelika|angelo|anil|anita|anja|anjali|anke|ankit|ann|anna|annamaria|anne|anneli|anneliese|annika|anouk|anthony|antje|antoine|anton|antonella|antonia|antonio|antti|apolline|arie|arjun|armin|arnaud|arne|arnold|arslan|arthur|arun|ashley|ashok|ashworth|asier|aslan|astrid|aur.lie|axel|ay.e|aydin|b.hm|badoer|bailey|bakker|banerjee|baptiste|barbara|barbosa|barnes|bart|bartosz|bassam|bastien|bauer|baumann|beata|beate|beatrice|beatrix|beatriz|becker|bellucci|benjamin|bennett|beno.t|berger|bergmann|berk|bernard|bernd|bertrand|betty|beverly|bhardwaj|bhatt|bhavna|bianca|bianchi|bilal|billy|birgit|birgitta|bj.rn|bjoern|bobby|bohumil|bonatti|bonnet|boris|bose|bourgeois|boyer|bram|brandon|brenda|brian|brigitte|brittany|brooks|brouwer|bruce|brunnhuber|bruno|bryan|bryant|burak|burcu|burkhard|c.dric|c.line|cabrera|caitlin|callum|calvo|camila|camille|campbell|cardoso|carl|carla|carlos|carmen|carmichael|carolyn|carter|caruso|carvalho|castejon|castillo|castro|catalina|catarina|caterina|catherine|cees|cem|cesare|chadha|chandra|chantal|charles|charlie|chavez|chen|cheryl|chevalier|chevallier|chiara|chidi|chinedu|chlo.|choi|chopra|chowdhury|christa|christensen|christian|christina|christine|christoph|christophe|christopher|cinzia|cl.ment|claes|clara|clark|claudia|claudio|clifford|coleman|colin|collins|colombo|concetta|consuelo|cooper|corbacho|corentin|cornelia|correia|costa|cristina|cynthia|d.az|daan|dagmar|daniel|daniela|daniele|danielle|danielsen|daria|darren|das|david|davide|davies|davis|deborah|debra|deepa|deepak|defne|dekker|demir|denise|dennis|desai|detlef|dexter|dhingra|diallo|diana|diane|didier|diego|dieter|dietrich|dijkstra|dinesh|dirk|divya|diya|dmitri|dmitry|do.an|dom.nguez|domenico|dominik|dominika|dominique|donald|donna|doris|dorota|dorothy|douglas|duarte|dubois|dugal|dumas|dumont|duncan|dupont|dupuis|duran|durand|dvo..k|dylan|ebba|ece|eduardo|edward|edwards|ekaterina|ekkehard|el.bieta|eleanor|elena|elfriede|elif|elijah|elisa|elizabeth|elke|ella|ellen|ellis|ema|emanuele|emeka|emil|emilia|emilio|emily|emine|emma|emre|encarnacion|enrico|enrique|erik|erika|eriksson|ernst|esmee|esposito|esteban|esther|ethan|ettore|eugene|eva|evans|evelyn|evgeny|ewa|ewan|fabian|fabio|facundo|fatima|fatma|fatou|faure|federica|federico|felipe|felix|femke|fenna|fern.ndez|fernanda|fernando|ferrara|ferreira|filippo|finn|fiona|fischer|fitzgerald|florencia|flores|florian|fontaine|fontana|foster|fournier|fr.d.ric|fran.ois|fran.oise|frances|francesca|francesco|francisco|frank|franke|franziska|fraser|fredrik|freja|frieda|friedrich|fuentes|g.mez|g.nter|g.nther|g.rard|gabriel|gabriela|gabriele|gail|galina|galli|garcia|garnier|gary|gaurav|gautam|gauthier|gavin|geeta|gemma|genevi.ve|gennaro|gentile|george|gerald|gerda|gerhard|gerrit|gertrud|ghosh|giacomo|gibson|gijs|gilles|ginevra|giorgio|giovanna|giovanni|gisela|giulia|giuseppe|gizem|gloria|gomes|gonz.lez|gonzalo|goossens|gordon|graham|gregory|greta|griffin|grzegorz|gudrun|guenter|guerin|guillaume|guillermo|gulsen|gupta|gustafsson|gustav|gustavo|guti.rrez|guzman|h.ctor|h.l.ne|h.seyin|haddad|hakan|halina|hamza|hanna|hannah|hanne|hannelore|hans|hansen|harish|harold|harriet|harris|harrison|harry|hartmann|hartmut|haruto|hasan|hassan|hatice|hayes|heather|heidi|heike|heikki|heiko|heinrich|heinz|helen|helga|helmut|henderson|hendrik|hendriks|henning|henrik|henriksen|henrique|henry|hern.ndez|herrera|herrmann|hildegard|hiroshi|hoang|hoffmann|hofmann|holger|hollingsworth|holmes|horak|horst|horv.th|howard|huang|huber|hughes|hugo|huong|hussain|hussein|ian|ibanez|ibrahim|ignacio|igor|iker|ilaria|ilse|imogen|in.s|ingeborg|inger|ingo|ingrid|inmaculada|iqbal|irene|irina|irmgard|isabel|isabella|isabelle|ishaan|ishita|ismail|ito|iv.n|ivanov|ivanova|iwona|iyer|j.ger|j.rg|j.rgen|jack|jacob|jacobs|jacqueline|jacques|jaime|jakub|james|jan|jana|jane|janet|janice|janina|jansen|janssen|jaromir|jaroslav|jason|jasper|javier|jean|jeffrey|jenkins|jennifer|jens|jensen|jeong|jeremy|jeroen|jerry|jerzy|jesper|jesse|jessica|ji..|jim.nez|jimena|jisoo|jo.o|joan|joana|joanna|joaqu.n|joaquina|jochen|joe|joep|joerg|johan|johanna|johannes|johansen|johansson|john|johnny|johnson|jonas|jonathan|jones|joost|jorge|jos.|josefa|joseph|joshi|joshua|joyce|juan|judith|judy|juergen|juha|jukka|julia|juliana|julie|julien|juliette|jun|justin|k.hler|kaarina|kacper|kami.ski|kamil|kamla|kapoor|karen|kari|karim|karin|karina|karl|karlsson|karol|karolina|karthik|katarzyna|katharina|katherine|kathleen|kathrin|kathryn|katrin|kavita|kavya|kayla|kayleigh|kees|keiko|keith|keller|kemal|kenji|kenneth|kerem|kerstin|kevin|khadija|khaled|khan|kilic|kim|kimberly|kira|kirsten|kjell|klaus|knut|kobayashi|koehler|koen|kofi|konstantin|korhonen|korkmaz|kov.cs|kowalczyk|kowalska|kowalski|kr.ger|kr.mer|kraus|krause|krishnan|kristina|krueger|krystyna|krzysztof|kucera|kuhn|kuipers|kumar|kurt|kuznetsov|kwame|kyle|l.a|l.pez|larissa|larry|lars|larsen|larsson|laura|lauren|laurent|lauritsen|lawrence|layla|leah|leclercq|lefebvre|lefevre|legrand|lehmann|leila|leire|lena|lenka|lennart|leo|leonardo|leone|leroy|let.cia|lewandowski|lewis|liam|lieke|linda|linnea|lisa|liu|lombardi|longo|loredana|lorenz|lori|lothar|louis|lourdes|luc.a|luca|lucas|lucie|lucien|lucrezia|lucy|ludmila|ludovica|ludwig|luigi|luis|luisa|lukas|m.ller|m.nica|ma.gorzata|maaike|maarten|macdonald|machado|maciej|mads|maes|magdalena|magnus|mahesh|mahmoud|maier|maik|malhotra|malte|malwina|maly|mancini|manfred|manish|manoj|manon|manuel|manuela|marc|marcel|marcelo|marcin|marco|marechal|marek|margaret|margareta|margaux|maria|mariana|mariani|marie|marieke|marilyn|marina|mario|markus|marlene|mart.n|mart.nez|marta|martha|martina|martine|martinelli|martini|martins|mary|maryam|massimo|mateo|mateusz|mathieu|mathilda|mathilde|mats|matteo|matthew|matthias|matti|maurizio|maxim|maxime|maximilian|mayer|mcallister|mcdonald|mechthild|medina|meena|meera|megan|mehmet|mehta|meier|meijer|meike|melanie|melissa|mendez|mendoza|menon|mensah|mercier|mertens|merve|mette|meyer|mia|micha.|michael|michel|michela|michelle|miguel|mikael|mikel|mikhail|mikkel|mikko|milan|minjun|mishra|mitchell|moeller|mohamed|mohammad|mohammed|molina|molly|monika|monique|monteiro|montserrat|moore|morales|moreau|moreira|morel|moreno|moretti|morgan|morin|moritz|morris|morten|mu.oz|mueller|muhammad|mukesh|mukherjee|mulder|murat|murphy|murray|mustafa|myers|nadia|nadine|nagy|nair|nakamura|nancy|naoko|natalia|natalie|nathalie|nathan|navarro|naveen|neha|neil|nelson|nerea|neumann|ngozi|nguyen|nicholas|nicola|nicolas|nicole|niels|nielsen|nieminen|nikhil|niklas|nikolai|nikolay|nils|nilsson|nirmala|nisha|nitin|noah|nogueira|noor|nora|norbert|nov.k|novotny|nowak|nuri|nuria|o\'connor|oberleitner|oc.ane|okafor|oksana|olaf|oleg|olga|oliveira|oliver|olivia|olivier|oliwia|olof|olsen|olson|olsson|oluwaseun|omar|ondrej|onur|orhan|ortega|ortiz|osman|ossola|ottilie|otto|ozdemir|p.rez|pablo|pamela|pandey|pankaj|paola|paolo|pascal|patel|patricia|patrick|patrizia|patrycja|patterson|paul|paula|paulina|pauline|paulo|pauwels|pavel|pawe.|pedersen|pedro|peeters|peggy|pekka|pemberton|pepijn|pereira|perrin|perry|persson|peter|peters|peterson|petr|petrov|petrova|pfeiffer|philip|philipp|philippe|phillips|pia|pierre|piet|pieter|pietro|pillai|piotr|pohl|polat|pooja|poonam|popov|powell|prakash|pranav|priscilla|priya|prochazka|quentin|ra.l|rachel|rafael|rafaela|raffaele|raffaella|rahul|rainer|raj|rajesh|rakesh|ralf|ram.n|ram.rez|ramesh|ramos|randy|rania|rao|raquel|rasha|rashid|rasmus|rasmussen|raymond|rebecca|reddy|rekha|remi|ren.|renate|reyes|reynolds|rhonda|ribeiro|ricardo|riccardo|ricci|richard|richardson|richter|rinaldi|rita|ritu|rivera|rizzo|robert|roberto|roberts|robertson|robin|robinson|roc.o|rodr.guez|rodrigo|rodrigues|roger|rogers|rohit|roksana|rolf|romain|romero|ronald|roos|rosa|rosaria|rosario|rossi|roswitha|rousseau|rousset|rub.n|rui|ruiz|russell|russo|ruth|ruud|ryan|s.bastien|s.nchez|s.ren|s.rensen|sabine|sakura|salma|salvatore|samantha|samir|samira|samuel|sandeep|sander|sandra|sanjay|sanne|santoro|santos|santosh|sara|sarah|sarita|sato|satoshi|saverio|sch.fer|schaefer|schmidt|schmitt|schmitz|schneider|scholz|schouten|schr.der|schreiber|schroeder|schubert|schulz|schulze|schuster|scott|sean|sebastian|sebnem|seema|selin|seojun|serge|sergei|sergey|sergio|serkan|serrano|sevgi|sezgin|shah|sharma|sharon|shaw|sheila|shirley|shreya|shroff|shyam|siddharth|sigrid|silke|silva|silvia|simmons|simon|simone|simpson|singh|siobhan|sjoerd|smirnov|smit|smith|sneha|snyder|sof.a|solana|solene|solveig|songul|sonia|sophia|sophie|souza|stacy|stanis.aw|stefan|stefanie|stefano|steffen|stephanie|stephen|steven|stevens|stewart|stoltenberg|stuart|su.rez|sullivan|sunil|sunita|suresh|susan|susanne|suzuki|sven|svenja|svensson|svetlana|svoboda|svobodova|swati|sylvie|szab.|tacchini|takahashi|takashi|tanaka|tanja|tariq|tatiana|taylor|teixeira|tejas|teresa|tereza|terry|th.o|thanh|theodore|theresa|thiago|thibault|thierry|thijs|thomas|thompson|thorsen|thorsten|tiago|timo|timothy|tina|tobias|tolga|tom..|tomasz|tommaso|torres|torsten|tracy|tran|traor.|trivedi|tucker|turner|tuula|tyler|tyrone|ufuk|ulrich|ulrike|umberto|unai|ursula|usha|ute|uwe|v.ronique|v.zquez|vaclav|val.rie|valentina|vanessa|vargas|varun|vasco|vasquez|vega|ver.nica|verhoeven|verma|vermeulen|vicente|victor|vigorelli|vijay|vikram|vincent|vincenzo|vinod|viola|virtanen|visser|vit.ria|vittorio|vivek|vladimir|vlasta|vogt|voigt|vojtech|volkan|volker|w.jcik|wagner|waleed|walker|wallace|walter|waltraud|wang|watanabe|watson|weber|wei.|wendy|werner|wessel|whitfield|wi.niewski|wiebke|wiesinger|wiktoria|wilhelm|willem|willems|willemsen|william|williams|willie|wilson|winkler|wojciech|wolfgang|wouter|wouters|wright|xiaoming|ximena|y.lmaz|yamamoto|yara|yash|yasmin|yildiz|yogesh|yoko|yolanda|youssef|yuki|yulia|yuri|yusuf|yves|yvonne|zachary|zainab|zara|zbigniew|zden.k|zeynep|zhang|zhao|zhou|ziegler|zieli.ski|zimmermann|zoe|zofia|zuzanna)([ ,-]|$)| [^ ]{2,}(ov|ova|ev|eva|ov.|sk[iy]|ska|ck[iy]|cka|wicz|czyk|enko|chuk|sson|ssen|elli|etti|ucci|guez|ndez|nchez|opoulos|idis|oglu|o.lu|shvili|mann|[\\x{043e}][\\x{0432}]|[\\x{043e}][\\x{0432}][\\x{0430}]|[\\x{0435}][\\x{0432}]|[\\x{0435}][\\x{0432}][\\x{0430}]|[\\x{0438}][\\x{043d}]|[\\x{0438}][\\x{043d}][\\x{0430}]|[\\x{0438}][\\x{0447}]|[\\x{0432}][\\x{043d}][\\x{0430}]|[\\x{043a}][\\x{0438}][\\x{0439}]|[\\x{043d}][\\x{043a}][\\x{043e}])$')
            or regexp_like(value_counts.value, '^ *([\\x{738b}\\x{674e}\\x{5f20}\\x{5218}\\x{9648}\\x{6768}\\x{8d75}\\x{5434}\\x{5468}\\x{5f90}\\x{5b59}\\x{6731}\\x{90ed}\\x{4f55}\\x{7f57}\\x{6881}\\x{8c22}\\x{5510}\\x{8bb8}\\x{9093}\\x{51af}\\x{97e9}\\x{66f9}\\x{66fe}\\x{5f6d}\\x{8427}\\x{8521}\\x{6f58}\\x{8881}\\x{8463}\\x{4f59}\\x{82cf}\\x{53f6}\\x{5415}\\x{9b4f}\\x{848b}\\x{675c}\\x{59dc}\\x{718a}\\x{8c2d}\\x{97e6}\\x{8d3e}\\x{590f}\\x{4ed8}\\x{90b9}\\x{859b}\\x{95eb}\\x{79e6}] ?[\\x{3041}-\\x{30fa}\\x{4e00}-\\x{9fff}]{1,2}|([\\x{4f50}][\\x{85e4}]|[\\x{9234}][\\x{6728}]|[\\x{9ad8}][\\x{6a4b}]|[\\x{7530}][\\x{4e2d}]|[\\x{4f0a}][\\x{85e4}]|[\\x{6e21}][\\x{8fba}]|[\\x{5c71}][\\x{672c}]|[\\x{4e2d}][\\x{6751}]|[\\x{5c0f}][\\x{6797}]|[\\x{52a0}][\\x{85e4}]|[\\x{5409}][\\x{7530}]|[\\x{5c71}][\\x{7530}]|[\\x{4f50}][\\x{3005}]|[\\x{5c71}][\\x{53e3}]|[\\x{677e}][\\x{672c}]|[\\x{4e95}][\\x{4e0a}]|[\\x{6728}][\\x{6751}]|[\\x{658e}][\\x{85e4}]|[\\x{6e05}][\\x{6c34}]|[\\x{5c71}][\\x{5d0e}]|[\\x{963f}][\\x{90e8}]|[\\x{6a4b}][\\x{672c}]|[\\x{6c60}][\\x{7530}]|[\\x{524d}][\\x{7530}]|[\\x{85e4}][\\x{7530}]|[\\x{5c0f}][\\x{5ddd}]|[\\x{5ca1}][\\x{7530}]|[\\x{5f8c}][\\x{85e4}]|[\\x{9577}][\\x{8c37}]|[\\x{77f3}][\\x{4e95}]|[\\x{6751}][\\x{4e0a}]|[\\x{8fd1}][\\x{85e4}]|[\\x{5742}][\\x{672c}]|[\\x{9060}][\\x{85e4}]|[\\x{9752}][\\x{6728}]|[\\x{85e4}][\\x{4e95}]|[\\x{897f}][\\x{6751}]|[\\x{798f}][\\x{7530}]|[\\x{592a}][\\x{7530}]|[\\x{4e09}][\\x{6d66}]|[\\x{5ca1}][\\x{672c}]|[\\x{677e}][\\x{7530}]) ?[\\x{3041}-\\x{30fa}\\x{4e00}-\\x{9fff}]{1,3}|[\\x{ae40}\\x{c774}\\x{bc15}\\x{cd5c}\\x{c815}\\x{ac15}\\x{c870}\\x{c724}\\x{c7a5}\\x{c784}\\x{d55c}\\x{c2e0}\\x{c11c}\\x{ad8c}\\x{d669}\\x{c548}\\x{c1a1}] ?[\\x{ac00}-\\x{d7a3}]{2}) *$')
        )
        and not regexp_like(lower(value_counts.value), '(^|[ .,&])(gmbh|inc|ltd|llc|llp|plc|corp|co|ag|kg|ohg|se|sa|srl|sarl|sas|spa|bv|nv|oy|ab|as|aps|pty|group|gruppe|holding|company|industries|enterprises|systems|solutions|services|partners|associates|brothers|bros|sons|s.hne|bank|foods|motors|energy|hotel|restaurant|university|school|college|hospital|museum|church|stadium|airport|station|park|beach|city|county|island|river|lake|street|road|avenue|square|platz|stra.e|bridge|center|centre|foundation|institute|club|shop|store|records)([ .,]|$)')
    ) then 'name?' end
        when regexp_like(value_counts.value, '[^\\]\\[ @(){}<>,;:"/]@([^\\]\\[ @(){}<>,;:"/.]+[.])+[A-Za-z]{2,24}($|:?[^A-Za-z0-9@:-])') then 'email'
        when case
        when length(value_counts.value) > 48 then false
        when not regexp_like(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), '^((NO)[0-9]{2}[A-Z0-9]{11}|(BE)[0-9]{2}[A-Z0-9]{12}|(DK|FI|FK|FO|GL|NL|SD)[0-9]{2}[A-Z0-9]{14}|(MK|SI)[0-9]{2}[A-Z0-9]{15}|(AT|BA|EE|KZ|LT|LU|MN|XK)[0-9]{2}[A-Z0-9]{16}|(CH|CR|HR|LI|LV)[0-9]{2}[A-Z0-9]{17}|(BG|BH|DE|GB|GE|IE|ME|RS|VA)[0-9]{2}[A-Z0-9]{18}|(AE|GI|IL|IQ|OM|SO|TL)[0-9]{2}[A-Z0-9]{19}|(AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG)[0-9]{2}[A-Z0-9]{20}|(LY|PT|ST)[0-9]{2}[A-Z0-9]{21}|(IS|TR)[0-9]{2}[A-Z0-9]{22}|(BI|DJ|FR|GR|IT|MC|MR|SM)[0-9]{2}[A-Z0-9]{23}|(AL|AZ|BY|CY|DO|GT|HN|HU|LB|NI|PL|SV)[0-9]{2}[A-Z0-9]{24}|(BR|EG|PS|QA|UA)[0-9]{2}[A-Z0-9]{25}|(JO|KW|MU|YE)[0-9]{2}[A-Z0-9]{26}|(MT|SC)[0-9]{2}[A-Z0-9]{27}|(LC)[0-9]{2}[A-Z0-9]{28}|(RU)[0-9]{2}[A-Z0-9]{29})$') then false
        when hints.hint = 'iban' then true
        else mod(mod(try_cast(left(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 4), '([A-J])', '1$1'), '([K-T])', '2$1'), '([U-Z])', '3$1'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as decimal(36, 0)), 97) * 64 + mod(try_cast(right(lpad(translate(regexp_replace(regexp_replace(regexp_replace(substr(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 5) || left(upper(replace(replace(value_counts.value, ' ', ''), '-', '')), 4), '([A-J])', '1$1'), '([K-T])', '2$1'), '([U-Z])', '3$1'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '01234567890123456789012345'), 72, '0'), 36) as decimal(36, 0)), 97), 97) = 1
    end then 'iban'
        when case
        when not regexp_like(value_counts.value, '^ *[0-9]+([ -][0-9]+)* *$') then false
        when hints.hint = 'card' then regexp_like(replace(replace(value_counts.value, ' ', ''), '-', ''), '^[1-9][0-9]{12,18}$')
        when regexp_like(replace(replace(value_counts.value, ' ', ''), '-', ''), '^(4[0-9]{15}([0-9]{3})?|(5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|3[47][0-9]{13}|3(0[0-59]|[689][0-9])[0-9]{11}([0-9]{2})?|(6011|64[4-9][0-9]|65[0-9]{2}|35(2[89]|[3-8][0-9])|62[0-9]{2}|220[0-4])[0-9]{12,15}|(5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{10,15}|(60[0-9]{2}|508[5-9]|8[12][0-9]{2})[0-9]{12})$') then mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(translate(regexp_replace(lpad(replace(replace(value_counts.value, ' ', ''), '-', ''), 20, '0'), '([0-9])[0-9]', '$1'), '0123456789', '0246813579') || regexp_replace(lpad(replace(replace(value_counts.value, ' ', ''), '-', ''), 20, '0'), '[0-9]([0-9])', '$1'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 10) = 0
        else false
    end then case when hints.hint = 'number' then 'card?' else 'card' end
        when case
        when length(value_counts.value) > 24 then false
        when regexp_like(value_counts.value, '^ *((00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6[0-57-9][0-9]|66[0-57-9])-(0[1-9]|[1-9][0-9])-(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D]|[A-Za-z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRSTabcdehlmprst][0-9LMNPQRSTUV]{2}[A-Za-z][0-9LMNPQRSTUV]{3}[A-Za-z]|[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{5}[A-Z0-9][0-9]|756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}) *$') then true
        when regexp_like(regexp_replace(upper(value_counts.value), '[ ./-]', ''), '^[0-9XYZ][0-9]{7}[A-Z]$') and substr('TRWAGMYFPDXBNJZSQVHLCKE', cast(mod(try_cast(replace(replace(replace(left(regexp_replace(upper(value_counts.value), '[ ./-]', ''), 8), 'X', '0'), 'Y', '1'), 'Z', '2') as bigint), 23) + 1 as integer), 1) = substr(regexp_replace(upper(value_counts.value), '[ ./-]', ''), 9, 1) then true
        when
            regexp_like(regexp_replace(upper(value_counts.value), '[ ./-]', ''), '^[1-478][0-9]{2}(0[1-9]|1[0-2]|[2-9][0-9])(2[AB]|[0-9]{2})[0-9]{8}$')
            and mod(try_cast(replace(replace(left(regexp_replace(upper(value_counts.value), '[ ./-]', ''), 13), '2A', '19'), '2B', '18') as bigint), 97) + try_cast(substr(regexp_replace(upper(value_counts.value), '[ ./-]', ''), 14, 2) as bigint) = 97
            then true
        when
            regexp_like(value_counts.value, '^ *[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2} *$')
            and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(left(regexp_replace(value_counts.value, '[^0-9]', ''), 10), '^([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '$1$1$1$1$1$1$1$1$1$1$2$2$2$2$2$2$2$2$2$3$3$3$3$3$3$3$3$4$4$4$4$4$4$4$5$5$5$5$5$5$6$6$6$6$6$7$7$7$7$8$8$8$9$9'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(value_counts.value, '[^0-9]', ''), 10, 1) = '0' then 1 else 0 end and mod(length(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(value_counts.value, '[^0-9]', ''), '^[0-9]([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])([0-9])', '$1$1$1$1$1$1$1$1$1$1$2$2$2$2$2$2$2$2$2$3$3$3$3$3$3$3$3$4$4$4$4$4$4$4$5$5$5$5$5$5$6$6$6$6$6$7$7$7$7$8$8$8$9$9'), '0', ''), '2', '11'), '3', '111'), '4', '1111'), '5', '11111'), '6', '111111'), '7', '1111111'), '8', '11111111'), '9', '111111111')), 11) <= case when substr(regexp_replace(value_counts.value, '[^0-9]', ''), 11, 1) = '0' then 1 else 0 end and not regexp_like(regexp_replace(value_counts.value, '[^0-9]', ''), '^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$')
            then true
        when hints.hint = 'national_id'
            then
                regexp_like(regexp_replace(upper(value_counts.value), '[ ./-]', ''), '^[A-Z0-9]{6,20}$') and regexp_like(regexp_replace(value_counts.value, '[^0-9]', ''), '^[0-9]{4}')
        else false
    end
            then case when hints.hint = 'number' then 'national_id?' else 'national_id' end
        when case
        when regexp_like(value_counts.value, '^ *(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}(:[0-9]{1,5}|/[0-9]{1,2})? *$')
            then hints.hint = 'ip' or length(regexp_replace(value_counts.value, '[^0-9]', '')) >= 8
        else
            regexp_like(value_counts.value, '^ *(([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?::([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){0,6})?)(:(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3})?(/[0-9]{1,3})? *$')
            and regexp_like(value_counts.value, '[0-9A-Fa-f]')
    end
            then case hints.hint when 'ip' then 'ip' when 'thing' then null else 'ip?' end
        when case
        when not regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '^ *[+(]?[0-9][0-9 ()./-]{5,23} *$') then false
        when regexp_like(regexp_replace(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '[ ()./-]', ''), '^[+][1-9][0-9]{7,14}$')
            then not regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '^ *[+][0-9]+[.][0-9]+ *$')
        when regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '^ *([+]?1[ .-]?)?[(][2-9][0-9]{2}[)] ?[2-9][0-9]{2}[-. ][0-9]{4} *$') then true
        when hints.hint = 'phone'
            then
                regexp_like(regexp_replace(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '[ ()./-]', ''), '^[0-9]{7,15}$')
                and not regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '^ *([0-9]+[.][0-9]+|[0-9]{1,8}|[0-9]{4}[./-][01]?[0-9][./-][0-3]?[0-9]([ 0-9]*)|[0-3]?[0-9][./-][0-3]?[0-9][./-][0-9]{4}([ 0-9]*)|[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}) *$')
        else false
    end then 'phone'
        when case
        when regexp_like(value_counts.value, '(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^\\]\\[ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(Street|Avenue|Road|Boulevard|Lane|Drive|Court|Square|Terrace|Parkway|Highway|Crescent|Mews|Grove|Gardens|Alley|Turnpike|Esplanade|Close|Place|Way|Trail|Circle|Cove|Loop|Plaza|Ridge|Walk|Pike|Crossing|Heights|Landing|Parade|Chowk|Marg|STREET|AVENUE|ROAD|BOULEVARD|LANE|DRIVE|TERRACE|PARKWAY|HIGHWAY|CRESCENT|Blvd|BLVD|Pkwy|Hwy|Ave|AVE|Rd|RD)($|[^A-Za-z])|(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?(-[0-9]{1,5})? ([^\\]\\[ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}(St|ST|Dr|Ln|LN|Ct|Pl|Sq)[.]?($|[,;#\\n]| (Apt|Unit|Suite|Ste|N|S|E|W|N[EW]|S[EW])($|[^A-Za-z]))|(^|[^0-9A-Za-z.,%-])[0-9]{1,5}[A-Za-z]?,? ([^\\]\\[ a-z,;:!?(){}=][^ ,;:!?(){}=]*,? ){1,4}[^ ,;:!?(){}=]+,? (Apt|Apartment|Suite|Ste|Unit|Flat)[.]? ?#?[0-9A-Z]{1,5}($|[^A-Za-z])|[A-Z][^ 0-9]+ (Street|Avenue|Road|Boulevard|Lane|Blvd|Ave|Rd|St|Dr)[.]? [0-9]{1,4}($|[,;#\\n])|(^|[^A-Za-z])(Via|Viale|Piazza|Piazzale|Corso|Vicolo|Strada|Contrada|Borgo|Largo|VIA|VIALE|PIAZZA|CORSO) [^\\]\\[0-9a-z,;:!?(){}=][^\\]\\[0-9,;:!?(){}=]+,? ?(n[.]? ?)?[0-9]{1,4}($|[^A-Za-z])') then true
        when regexp_like(lower(value_counts.value), '(stra(ss|[\\x{00df}])e|[a-z]{3}str[.]?|(^|[^a-z])str[.]|platz|gasse|allee|weg|damm|chaussee),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(straat|laan|plein|gracht|kade|dijk|singel|gatan|v[\\x{00e0}-\\x{00ff}]gen|gade|vej|vejen|veien|katu),? [0-9]{1,4}( ?[a-k])?($|[^0-9a-z.%:])|(^|[^0-9a-z])[0-9]{1,4}( ?(bis|ter))?,? (rue|avenue|av[.]|boulevard|bd|chemin|impasse|all(e|[\\x{00e0}-\\x{00ff}])e|quai|place|route|faubourg) (de |du |des |d.|la |le |les |l.|saint|[a-z])[a-z]|(^|[^0-9a-z])(rue|all(e|[\\x{00e0}-\\x{00ff}])e|chemin|quai) [^\\]\\[0-9,;:!?(){}=]+ [0-9]{1,4}($|[^0-9a-z%])|(^|[^0-9a-z])(calle|c/|avenida|avda[.]?|paseo|plaza|pasaje|callej.n|ronda|glorieta|carrer|camino|rua|travessa|pra[\\x{00e0}-\\x{00ff}]a|alameda) ?[^\\]\\[0-9,;:!?(){}=]+,? ?(n[^ 0-9]{0,2} ?)?[0-9]{1,5}($|[^0-9a-z%])|(^|[^0-9a-z])(ul|al|os)[.] ?[^\\]\\[0-9,;:!?(){}=]+ [0-9]{1,4}|(^|[^0-9a-z])(p[.]? ?o[.]? ?box|postfach|postbus|bo[\\x{00e0}-\\x{00ff}]te postale|apartado( de correos)?|casilla|skr[.] poczt[.]) ?[0-9]{1,6}|[\\x{901a}\\x{8857}\\x{8def}][\\x{308a}]? ?[0-9]{1,4}|[0-9]{1,4}[\\x{4e01}\\x{756a}\\x{53f7}]') then true
        when hints.hint = 'address'
            then
                regexp_like(value_counts.value, '(^|[ ,])[0-9]+[A-Za-z]?([ ,/-]|$)')
                and regexp_like(value_counts.value, '[^\\]\\[ -@_{}]{3}')
                and not regexp_like(value_counts.value, '@|://|=')
        else false
    end then 'address'
        when (regexp_like(value_counts.value, '^[A-Za-z0-9+/_-]{32,}={0,2}$') and regexp_like(value_counts.value, '[A-Z]') and regexp_like(value_counts.value, '[a-z]') and regexp_like(value_counts.value, '[0-9]') and not regexp_like(value_counts.value, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) then 'random'
        when hints.hint = 'thing' then null
        when (
        regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '^ *((1[ .-])?[2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}|(001|011)[-. ][2-9][0-9]{2}[-. ][2-9][0-9]{2}[-. ][0-9]{4}|00[1-9][0-9]{0,2}[ /-][0-9 ()/-]{7,16}|[(]0[1-9][0-9]{0,4}[)][ /-]?[0-9][0-9 /-]{4,11}|0[1-9][0-9]{1,4} ?[/-] ?[0-9]{3,9}([ -][0-9]{1,5}){0,3}|0[1-9][0-9]{0,4} [0-9]{2,9}([ -][0-9]{1,5}){0,4}|0[1-9][-/][0-9]{2,4}[ -]?[0-9]{2,4}([ -][0-9]{2,4})?|0[1-9]([ .-][0-9]{2}){4}|0[1-9][0-9][.][0-9]{3}([.][0-9]{2}){2}|3[2-9][0-9][ /-][0-9]{6,7}|3[2-9][0-9] [0-9]{3} [0-9]{3,4}|[679][0-9]{2}( [0-9]{2}){3}|1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}|[6-9][0-9]{4} [0-9]{5}|[(]?[1-9][1-9][)]? ?9[0-9]{4}-[0-9]{4}|[(][1-9][1-9][)] ?[2-5][0-9]{3}-[0-9]{4}|8[ -]?[(]?[3-9][0-9]{2}[)]?[ -][0-9]{3}-[0-9]{2}-[0-9]{2}|(015[0-9]|016[023]|017[0-9])[0-9]{7,8}|07[3-9][0-9]{8}|0[67][0-9]{8}) *$')
        and regexp_like(regexp_replace(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '[ ()./-]', ''), '^(00[1-9][0-9]{8,13}|[1-9][0-9]{8,11}|0[1-9][0-9]{7,10})$')
        and not regexp_like(regexp_replace(value_counts.value, ' ?(x|ext[.]?|#) ?[0-9]{1,6} *$', ''), '(^|[ ./-])((19|20)[0-9]{2}[ ./-]|[0-9]{4}-[0-9]{4}-[0-9]{2} *$|^0[0-9]{4}-[0-9]{5} *$)')
    ) then 'phone?'
        when case
        when regexp_like(value_counts.value, '^ *[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D] *$') then true
        when regexp_like(value_counts.value, '^ *[1-9][0-9]{5}(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx] *$') then true
        when regexp_like(value_counts.value, '^ *((19|20)?[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])|(0[1-9]|[12][0-9]|3[01])(0[1-9]|1[0-2])[0-9]{2})[-+A][0-9]{3}[0-9A-Y] *$') then true
        when regexp_like(value_counts.value, '^ *[1-9][0-9]([0-9]{9}| [0-9]{3} [0-9]{3} [0-9]{3}) *$')
            then mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(mod(2 * mod(10 + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 1, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 2, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 3, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 4, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 5, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 6, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 7, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 8, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 9, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 10, 1) as bigint) + 9, 10) + 2, 11) + try_cast(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 11, 1) as bigint), 10) = 1
        when regexp_like(value_counts.value, '^ *[2-9][0-9]{3}([ -]?)[0-9]{4}([ -]?)[0-9]{4} *$')
            then cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 12, 1), '0123456789', '0123456789') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 11, 1), '0123456789', '1576283094') as bigint)) + 1 as integer), 1) as integer)) + (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 10, 1), '0123456789', '5803796142') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 9, 1), '0123456789', '8916043527') as bigint)) + 1 as integer), 1) as integer)) + 1 as integer), 1) as integer)) + (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 8, 1), '0123456789', '9453126870') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 7, 1), '0123456789', '4286573901') as bigint)) + 1 as integer), 1) as integer)) + (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 6, 1), '0123456789', '2793806415') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 5, 1), '0123456789', '7046913258') as bigint)) + 1 as integer), 1) as integer)) + 1 as integer), 1) as integer)) + 1 as integer), 1) as integer)) + (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 4, 1), '0123456789', '0123456789') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 3, 1), '0123456789', '1576283094') as bigint)) + 1 as integer), 1) as integer)) + (cast(substr('0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210', cast(10 * (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 2, 1), '0123456789', '5803796142') as bigint)) + (try_cast(translate(substr(replace(replace(value_counts.value, ' ', ''), '-', ''), 1, 1), '0123456789', '8916043527') as bigint)) + 1 as integer), 1) as integer)) + 1 as integer), 1) as integer)) + 1 as integer), 1) as integer) = 0
        else false
    end then 'national_id?'
    end end as personal_data
    from value_counts
    inner join hints on value_counts.column_number = hints.column_number and value_counts.sub_path = hints.sub_path
    where value_counts.place <= 200
),

tops as (
    select
        column_number,
        sub_path,
        to_json(transform(array_sort(collect_list(struct(-value_count as place, shown_value as value))), listed -> named_struct('value', listed.value, 'count', -listed.place))) as top_values
    from (
        select
            *,
            -- A personal value among others is masked by itself; not random strings and names, which may be other things.
            case
                when personal_data <> 'random' and personal_data not like '%?' then (regexp_replace(regexp_replace(regexp_replace(translate(left(value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\\p{Lu}\\p{Lt}]', 'A'), '[\\x{00b2}-\\x{00b3}\\x{00b9}\\x{00bc}-\\x{00be}\\x{0660}-\\x{0669}\\x{06f0}-\\x{06f9}\\x{0966}-\\x{096f}\\x{09e6}-\\x{09ef}\\x{0e50}-\\x{0e59}\\x{ff10}-\\x{ff19}]', '9'), '[^\\t\\n\\r -~\\x{00a0}-\\x{00a9}\\x{00ab}-\\x{00b1}\\x{00b4}\\x{00b6}-\\x{00b8}\\x{00bb}\\x{00bf}\\x{00d7}\\x{00f7}\\x{2000}-\\x{200a}\\x{2010}-\\x{2027}\\x{202f}-\\x{205f}\\x{20a0}-\\x{20bf}\\x{2190}-\\x{22ff}\\x{2500}-\\x{26ff}\\x{3000}-\\x{3004}\\x{3008}-\\x{301b}]', 'a') || case when length(value) > 32 then '...' else '' end)
                else value
            end as shown_value
        from frequent_values
    ) as shown
    where
        place <= 25
        or (place <= 200 and value_kind = 'text' and length(value) <= 60)
    group by column_number, sub_path
),

texts as (
    select column_number, sub_path, value, value_count
    from value_counts
    where value_kind = 'text' and place <= 2000
),

shape_counts as (
    select
        column_number,
        sub_path,
        shape,
        cast(sum(value_count) as bigint) as value_count,
        row_number() over (partition by column_number, sub_path order by sum(value_count) desc, shape) as place
    from (
    select column_number, sub_path, (regexp_replace(regexp_replace(regexp_replace(translate(left(value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\\p{Lu}\\p{Lt}]', 'A'), '[\\x{00b2}-\\x{00b3}\\x{00b9}\\x{00bc}-\\x{00be}\\x{0660}-\\x{0669}\\x{06f0}-\\x{06f9}\\x{0966}-\\x{096f}\\x{09e6}-\\x{09ef}\\x{0e50}-\\x{0e59}\\x{ff10}-\\x{ff19}]', '9'), '[^\\t\\n\\r -~\\x{00a0}-\\x{00a9}\\x{00ab}-\\x{00b1}\\x{00b4}\\x{00b6}-\\x{00b8}\\x{00bb}\\x{00bf}\\x{00d7}\\x{00f7}\\x{2000}-\\x{200a}\\x{2010}-\\x{2027}\\x{202f}-\\x{205f}\\x{20a0}-\\x{20bf}\\x{2190}-\\x{22ff}\\x{2500}-\\x{26ff}\\x{3000}-\\x{3004}\\x{3008}-\\x{301b}]', 'a') || case when length(value) > 32 then '...' else '' end) as shape, value_count
    from texts

    ) as shaped
    group by column_number, sub_path, shape
),

shapes as (
    select
        column_number,
        sub_path,
        to_json(transform(array_sort(collect_list(struct(-value_count as place, shape as value))), listed -> named_struct('value', listed.value, 'count', -listed.place))) as patterns
    from shape_counts
    where place <= 5
    group by column_number, sub_path
),

personal as (
    select
        frequent_values.column_number,
        frequent_values.sub_path,
        coalesce(
            case
                when max(frequent_values.hint) = 'setting' and max(secret_settings.table_number) is not null then 'credential'
            end,
            case
        when
            sum(case when frequent_values.personal_data = 'credential' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'credential' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'credential'
        when
            sum(case when frequent_values.personal_data = 'iban' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'iban' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'iban'
        when
            sum(case when frequent_values.personal_data = 'card' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'card' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'card'
        when
            sum(case when frequent_values.personal_data = 'national_id' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'national_id' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'national_id'
        when
            sum(case when frequent_values.personal_data = 'email' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'email' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'email'
        when
            sum(case when frequent_values.personal_data = 'ip' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'ip' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'ip'
        when
            sum(case when frequent_values.personal_data = 'phone' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'phone' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'phone'
        when
            sum(case when frequent_values.personal_data = 'address' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'address' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'address'
        when
            sum(case when frequent_values.personal_data = 'name' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'name' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'name'
        when
            sum(case when frequent_values.personal_data = 'birth_date' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'birth_date' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'birth_date'
        when
            sum(case when frequent_values.personal_data = 'health' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'health' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'health'
        when
            sum(case when frequent_values.personal_data = 'belief' then 1 else 0 end) >= 0.3 * count(*)
            or sum(case when frequent_values.personal_data = 'belief' then frequent_values.value_count else 0 end)
            >= 0.3 * sum(frequent_values.value_count)
            then 'belief'
        when
            sum(case when frequent_values.personal_data in ('card', 'card?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'card'
        when
            sum(case when frequent_values.personal_data in ('national_id', 'national_id?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'national_id'
        when
            sum(case when frequent_values.personal_data in ('ip', 'ip?') then 1 else 0 end)
            >= greatest(0.6 * count(*), least(count(*), 3))
            then 'ip'
        when
            sum(case when frequent_values.personal_data in ('phone', 'phone?') then 1 else 0 end)
            >= greatest(0.7 * count(*), least(count(*), 3))
            then 'phone'
        when
            sum(case when frequent_values.personal_data in ('name', 'name?') then 1 else 0 end)
            >= greatest(0.3 * count(*), least(count(*), 3))
            then 'name'
    end,
            case
                when
                    min(length(frequent_values.value)) = max(length(frequent_values.value))
                    and sum(case when frequent_values.personal_data = 'random' then 1 else 0 end) >= 0.9 * count(*)
                    then 'random'
            end
        ) as personal_data
    from frequent_values
    inner join names on frequent_values.column_number = names.column_number
    left join secret_settings on names.table_number = secret_settings.table_number
    group by frequent_values.column_number, frequent_values.sub_path
),

spreads as (
    select
        column_number,
        sub_path,
        to_json(percentile_approx(number, array(0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0), 1000000)) as quantiles,
        case when cast(corr(row_order, number) as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then corr(row_order, number) end as monotonicity,
        avg(number) as mean,
        stddev_samp(number) as deviation
    from all_values
    -- Numbers in documents may overflow when squared or summed.
    where abs(number) < 1e150
    group by column_number, sub_path
),

days as (
    select
        column_number,
        sub_path,
        count(*) as day_count,
        cast(max(gap) as bigint) as largest_gap_days
    from (
        select
            column_number,
            sub_path,
            day_number - lag(day_number) over (partition by column_number, sub_path order by day_number) as gap
        from (
            select distinct column_number, sub_path, floor(number / 86400) as day_number
            from value_counts
            where value_kind in ('date', 'timestamp') and number is not null
        ) as distinct_days
    ) as gaps
    group by column_number, sub_path
),

paths as (
    select column_number, '' as sub_path, false as is_discovered, value_kind from measured

    union all

    select column_number, sub_path, true as is_discovered, value_kind from element_counts where sub_path <> ''
),

gathered as (
    select
        tables.attempt_id,
        tables.database_name,
        tables.schema_name,
        tables.table_name,
        tables.fingerprint,
        paths.is_discovered,
        cast(null as string) as seen_in,
        paths.value_kind,
        coalesce(element_counts.privacy, measured.privacy) as said_privacy,
        tables.sample_row_count,
        case
        when personal.personal_data <> 'random' then personal.personal_data
        when personal.personal_data = 'random'
            then
                case
                    when not regexp_like('_' || regexp_replace(lower(regexp_replace(regexp_replace(case when paths.sub_path = '' then measured.column_path else paths.sub_path end, '^.*[.]', ''), '([a-z0-9])([A-Z])', '$1_$2')), '[^a-z0-9]+', '_') || '_', '_(id|ids|uuid|guid|uid|pk|fk|hash|hashes|digest|checksum|md5|sha[0-9]*|etag|fingerprint|signature|address|addresses|addr|wallet|cid|block|tx|txn|transaction|pubkey|url|uri|path|file|filename|slug|sequence)_')
                        then 'credential'
                end
        when
            totals.value_count is null and measured.privacy in ('detect', 'inherit')
            and regexp_like(measured.min_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^\\]\\[ /:@]+:[^\\]\\[ /@]+@|hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]|(discord|discordapp)[.]com/api/webhooks/[0-9]|([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/|(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]|maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/|https?://[^ ]*[?&#;](([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket|X-Amz-(Signature|Credential)|X-Goog-Signature)=[^ &#]{8,}|https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,})|[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}|[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}|[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}|[$][PH][$][A-Za-z0-9./]{31}|(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}|(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}|[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}|(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])') and regexp_like(measured.max_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^\\]\\[ /:@]+:[^\\]\\[ /@]+@|hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]|(discord|discordapp)[.]com/api/webhooks/[0-9]|([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/|(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]|maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/|https?://[^ ]*[?&#;](([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket|X-Amz-(Signature|Credential)|X-Goog-Signature)=[^ &#]{8,}|https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,})|[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}|[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}|[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}|[$][PH][$][A-Za-z0-9./]{31}|(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}|(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}|[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}|(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])')
            then 'credential'
        when
            totals.value_count is null and measured.value_count > 0 and measured.privacy in ('detect', 'inherit')
            and measured.personal_data_hint in ('name', 'birth_date', 'street', 'health', 'belief')
            then case when measured.personal_data_hint = 'street' then 'address' else measured.personal_data_hint end
    end as personal_data,
        case when paths.is_discovered then measured.column_path || '.' || paths.sub_path else measured.column_path end as column_path,
        case
            -- Elements of struct lists are not collected, and excluded columns not read: no counts.
            when not (measured.is_measured or measured.is_collected) then null
            when paths.is_discovered or not measured.is_measured then coalesce(element_counts.element_count, 0)
            else tables.row_count
        end as row_count,
        case
            when paths.is_discovered and element_counts.privacy = 'hide' then null
            when not (measured.is_measured or measured.is_collected) then null
            when paths.is_discovered and paths.value_kind = 'struct' then element_counts.element_count
            when paths.is_discovered or not measured.is_measured then coalesce(totals.value_count, 0)
            else measured.value_count
        end as value_count,
        totals.value_count as sample_value_count,
        totals.distinct_count as sample_distinct_count,
        totals.single_count as sample_single_count,
        tables.is_read_in_part
        or tables.sample_row_count < tables.row_count
        or (paths.is_discovered and measured.value_count > 1000)
        -- Long documents were left out.
        or coalesce(measured.value_count > document_counts.document_count, false) as is_sampled,
        case measured.value_kind
        when 'text' then coalesce(measured.max_length, 0) > 256
        when 'other' then coalesce(coalesce(totals.value_count, 0) < measured.value_count, false)
        else false
    end as has_long_texts,
        case
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind in ('integer', 'number') then ends.min_value
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind not in ('interval', 'other')
                then totals.min_text
            else measured.min_value
        end as min_value,
        case
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind in ('integer', 'number') then ends.max_value
            when (paths.is_discovered or not measured.is_measured) and paths.value_kind not in ('interval', 'other')
                then totals.max_text
            else measured.max_value
        end as max_value,
        coalesce(measured.mean, case when paths.value_kind in ('integer', 'number') then spreads.mean end) as mean,
        coalesce(measured.deviation, case when paths.value_kind in ('integer', 'number') then spreads.deviation end) as deviation,
        case when not paths.is_discovered then measured.min_length end as min_length,
        case when not paths.is_discovered then measured.max_length end as max_length,
        case when not paths.is_discovered then measured.mean_length end as mean_length,
        measured.distinct_estimate,
        tops.top_values,
        shapes.patterns,
        spreads.quantiles,
        spreads.monotonicity,
        totals.top_value_share,
        totals.entropy,
        days.day_count,
        days.largest_gap_days
    from paths
    inner join measured on paths.column_number = measured.column_number
    inner join tables on measured.table_number = tables.table_number
    left join element_counts
        on paths.column_number = element_counts.column_number and paths.sub_path = element_counts.sub_path
    left join totals
        on paths.column_number = totals.column_number and paths.sub_path = totals.sub_path
    left join ends
        on paths.column_number = ends.column_number and paths.sub_path = ends.sub_path
    left join tops
        on paths.column_number = tops.column_number and paths.sub_path = tops.sub_path
    left join shapes
        on paths.column_number = shapes.column_number and paths.sub_path = shapes.sub_path
    left join personal
        on paths.column_number = personal.column_number and paths.sub_path = personal.sub_path
    left join spreads
        on paths.column_number = spreads.column_number and paths.sub_path = spreads.sub_path
    left join days
        on paths.column_number = days.column_number and paths.sub_path = days.sub_path
    left join document_counts on paths.column_number = document_counts.column_number
),

decided as (
    select
        gathered.*,
        said_privacy = 'detect' as is_looked_over,
        case
            when said_privacy not in ('detect', 'inherit') then said_privacy
            when personal_data = 'credential' then 'hide'
            when said_privacy = 'inherit' or personal_data is not null then 'mask'
            else 'show'
        end as privacy
    from gathered
),

-- Exact counts if the sample has every row; else the warehouse's estimate within known bounds, or that of the sample.
judged as (
    select
        decided.*,
        privacy <> 'hide' and sample_distinct_count is not null and not is_sampled and not has_long_texts
            as distinct_is_exact,
        case
            when privacy in ('hide', 'exclude', 'refuse') then null
            when value_count = 0 and value_kind not in ('struct', 'json', 'binary', 'list') then 0
            when not is_sampled and not has_long_texts then sample_distinct_count
            when value_kind in ('struct', 'json', 'binary') then null
            -- Values were not examined.
            when value_kind = 'other' and sample_value_count is null then null
            else
                greatest(
                    coalesce(sample_distinct_count, 0),
                    least(
                        coalesce(
                            distinct_estimate,
                            cast(cast(sample_value_count as double) * sample_distinct_count / nullif(sample_value_count - sample_single_count + cast(sample_single_count as double) * sample_value_count / nullif(value_count, 0), 0) as bigint),
                            sample_distinct_count,
                            0
                        ),
                        value_count
                    )
                )
        end as distinct_count
    from decided
),

final as (
    select
        attempt_id,
        database_name,
        schema_name,
        table_name,
        fingerprint,
        cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz) as scanned_at,
        column_path,
        is_discovered,
        seen_in,
        value_kind,
        privacy,
        personal_data,
        cast(row_count as bigint) as row_count,
        cast(value_count as bigint) as value_count,
        cast(sample_row_count as bigint) as sample_row_count,
        is_sampled,
        cast(distinct_count as bigint) as distinct_count,
        distinct_is_exact or (coalesce(value_count, 1) = 0 and distinct_count is not null) as distinct_is_exact,
        case
            when privacy <> 'show' then null
            when
                is_looked_over and value_kind = 'text'
                and (regexp_like(min_value, '@') or regexp_like(min_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^\\]\\[ /:@]+:[^\\]\\[ /@]+@|hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]|(discord|discordapp)[.]com/api/webhooks/[0-9]|([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/|(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]|maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/|https?://[^ ]*[?&#;](([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket|X-Amz-(Signature|Credential)|X-Goog-Signature)=[^ &#]{8,}|https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,})|[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}|[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}|[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}|[$][PH][$][A-Za-z0-9./]{31}|(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}|(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}|[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}|(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])'))
                then (regexp_replace(regexp_replace(regexp_replace(translate(left(min_value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\\p{Lu}\\p{Lt}]', 'A'), '[\\x{00b2}-\\x{00b3}\\x{00b9}\\x{00bc}-\\x{00be}\\x{0660}-\\x{0669}\\x{06f0}-\\x{06f9}\\x{0966}-\\x{096f}\\x{09e6}-\\x{09ef}\\x{0e50}-\\x{0e59}\\x{ff10}-\\x{ff19}]', '9'), '[^\\t\\n\\r -~\\x{00a0}-\\x{00a9}\\x{00ab}-\\x{00b1}\\x{00b4}\\x{00b6}-\\x{00b8}\\x{00bb}\\x{00bf}\\x{00d7}\\x{00f7}\\x{2000}-\\x{200a}\\x{2010}-\\x{2027}\\x{202f}-\\x{205f}\\x{20a0}-\\x{20bf}\\x{2190}-\\x{22ff}\\x{2500}-\\x{26ff}\\x{3000}-\\x{3004}\\x{3008}-\\x{301b}]', 'a') || case when length(min_value) > 32 then '...' else '' end)
            else min_value
        end as min_value,
        case
            when privacy <> 'show' then null
            when
                is_looked_over and value_kind = 'text'
                and (regexp_like(max_value, '@') or regexp_like(max_value, '(^|[^A-Za-z0-9])([sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}|sk-[A-Za-z0-9]{32,}|whsec_[A-Za-z0-9+/]{16,}|(AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|ya29[.][A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}|shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}|do[opr]_v1_[a-f0-9]{32,}|dapi[a-f0-9]{32}|hv[sb][.][A-Za-z0-9_-]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}|ATATT3[A-Za-z0-9_=-]{20,}|AccountKey=[A-Za-z0-9+/]{40,}|eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]|-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+]*://[^\\]\\[ /:@]+:[^\\]\\[ /@]+@|hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]|(discord|discordapp)[.]com/api/webhooks/[0-9]|([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/|(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]|maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/|https?://[^ ]*[?&#;](([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket|X-Amz-(Signature|Credential)|X-Goog-Signature)=[^ &#]{8,}|https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,})|[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}|[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}|[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}|[$][PH][$][A-Za-z0-9./]{31}|(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}|(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}|[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}|(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])'))
                then (regexp_replace(regexp_replace(regexp_replace(translate(left(max_value, 32), 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\\p{Lu}\\p{Lt}]', 'A'), '[\\x{00b2}-\\x{00b3}\\x{00b9}\\x{00bc}-\\x{00be}\\x{0660}-\\x{0669}\\x{06f0}-\\x{06f9}\\x{0966}-\\x{096f}\\x{09e6}-\\x{09ef}\\x{0e50}-\\x{0e59}\\x{ff10}-\\x{ff19}]', '9'), '[^\\t\\n\\r -~\\x{00a0}-\\x{00a9}\\x{00ab}-\\x{00b1}\\x{00b4}\\x{00b6}-\\x{00b8}\\x{00bb}\\x{00bf}\\x{00d7}\\x{00f7}\\x{2000}-\\x{200a}\\x{2010}-\\x{2027}\\x{202f}-\\x{205f}\\x{20a0}-\\x{20bf}\\x{2190}-\\x{22ff}\\x{2500}-\\x{26ff}\\x{3000}-\\x{3004}\\x{3008}-\\x{301b}]', 'a') || case when length(max_value) > 32 then '...' else '' end)
            else max_value
        end as max_value,
        case when privacy = 'show' then mean end as mean,
        case when privacy = 'show' then deviation end as deviation,
        case when privacy <> 'hide' then min_length end as min_length,
        case when privacy <> 'hide' then max_length end as max_length,
        case when privacy <> 'hide' then mean_length end as mean_length,
        case privacy when 'show' then top_values when 'mask' then patterns end as top_values,
        case when privacy <> 'hide' then patterns end as patterns,
        case when privacy = 'show' then quantiles end as quantiles,
        cast(case when privacy <> 'hide' then top_value_share end as double) as top_value_share,
        cast(case when privacy <> 'hide' then entropy end as double) as entropy,
        case when privacy <> 'hide' then monotonicity end as monotonicity,
        cast(case when privacy <> 'hide' then day_count end as bigint) as day_count,
        case when privacy <> 'hide' then largest_gap_days end as largest_gap_days
    from judged
)

select
    attempt_id,
    database_name,
    schema_name,
    table_name,
    fingerprint,
    scanned_at,
    column_path,
    is_discovered,
    seen_in,
    value_kind,
    privacy,
    personal_data,
    row_count,
    value_count,
    sample_row_count,
    is_sampled,
    distinct_count,
    distinct_is_exact,
    min_value,
    max_value,
    mean,
    deviation,
    min_length,
    max_length,
    mean_length,
    top_values,
    patterns,
    quantiles,
    top_value_share,
    entropy,
    monotonicity,
    day_count,
    largest_gap_days
from final;

reset spark.sql.optimizer.excludedRules;

reset spark.sql.codegen.wholeStage;

reset spark.sql.codegen.factoryMode;

reset spark.sql.shuffle.partitions;

reset spark.sql.adaptive.enabled;

drop table if exists linker.linker_stage_thread_1;
