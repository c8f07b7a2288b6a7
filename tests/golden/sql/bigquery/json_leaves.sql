    with nodes_0 as (
        select column_number, '' as sub_path, parse_json(value, wide_number_mode => 'round') as node, true as is_open
        from documents
    ),
    
    nodes_1 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_0 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_2 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_1 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_3 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_2 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_4 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_3 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_5 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_4 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_6 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_5 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_7 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_6 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_8 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_7 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_9 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_8 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    ),
    
    nodes_10 as (
        select
            nodes.column_number as column_number,
            concat(nodes.sub_path, if(nodes.sub_path = '' or child.step is null, '', '.'), coalesce(child.step, '')) as sub_path,
            child.node as node,
            child.is_open as is_open
        from nodes_9 as nodes
        cross join unnest(array_concat(
            [struct(cast(null as string) as step, nodes.node as node, false as is_open)],
            array(
                select as struct
                    if(regexp_contains(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), r'[."]'), concat('"', replace(if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name), '"', '""'), '"'), if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)) as step,
                    nodes.node[if(starts_with(name, '"'), coalesce(json_value(name), substr(name, 2, length(name) - 2)), name)] as node,
                    true as is_open
                from unnest(if(json_type(nodes.node) = 'object', json_keys(nodes.node, 1), null)) as name
                where nodes.is_open
            ),
            array(
                select as struct cast(null as string) as step, element as node, true as is_open
                from unnest(if(json_type(nodes.node) = 'array', json_query_array(nodes.node), null)) as element
                where nodes.is_open
            )
        )) as child
    )
    

    select
        column_number,
        sub_path,
        case json_type(node)
            when 'string' then 'text'
            when 'object' then 'struct'
            when 'number' then if(regexp_contains(to_json_string(node), r'^-?[0-9]{1,18}$'), 'integer', 'number')
            else json_type(node)
        end as leaf_kind,
        json_value(node) as value
    from nodes_10
    where json_type(node) <> 'array' and not (sub_path = '' and json_type(node) = 'object');
