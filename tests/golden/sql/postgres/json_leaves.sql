    with recursive nodes (column_number, sub_path, node) as (
        select column_number, cast('' as text), cast(value as jsonb)
        from documents

        union all

        select nodes.column_number, children.sub_path, children.node
        from nodes
        cross join lateral (
            select
                case when nodes.sub_path = '' then '' else nodes.sub_path || '.' end
                || case
                    when members.key like '%.%' or members.key like '%"%' then '"' || replace(members.key, '"', '""') || '"'
                    else members.key
                end as sub_path,
                members.value as node
            from jsonb_each(case when jsonb_typeof(nodes.node) = 'object' then nodes.node end) as members

            union all

            select nodes.sub_path, elements.value
            from jsonb_array_elements(case when jsonb_typeof(nodes.node) = 'array' then nodes.node end) as elements
        ) as children
    )

    select
        column_number,
        sub_path,
        case jsonb_typeof(node)
            when 'string' then 'text'
            when 'object' then 'struct'
            when 'number' then case when node #>> '{}' ~ '^-?[0-9]{1,18}$' then 'integer' else 'number' end
            else jsonb_typeof(node)
        end as leaf_kind,
        -- 1.50 and 1.5 are the same value.
        case jsonb_typeof(node)
            when 'object' then null
            when 'number' then cast(trim_scale(cast(node as numeric)) as text)
            else node #>> '{}'
        end as value
    from nodes
    where jsonb_typeof(node) <> 'array' and not (sub_path = '' and jsonb_typeof(node) = 'object');
