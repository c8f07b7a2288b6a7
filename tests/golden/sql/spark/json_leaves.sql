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
    where node_type not like 'ARRAY%' and not (sub_path = '' and node_type like 'OBJECT%');
