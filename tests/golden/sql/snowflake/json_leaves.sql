    select
        documents.column_number,
        regexp_replace(
            regexp_replace(
                regexp_replace(regexp_replace(leaves.path, '\\[[0-9]+\\]', ''), '\\[''([^'']*)''\\]', '."\\1"'), '^\\.', ''
            ),
            '"([^".]*)"', '\\1'
        ) as sub_path,
        case typeof(leaves.value)
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL_VALUE' then 'null'
            when 'INTEGER' then 'integer'
            else 'number'
        end as leaf_kind,
        case when typeof(leaves.value) not in ('OBJECT', 'NULL_VALUE') then cast(leaves.value as varchar) end as value
    from documents
    cross join lateral flatten(input => array_construct(parse_json(documents.value)), recursive => true) as leaves
    where typeof(leaves.value) <> 'ARRAY' and not (leaves.path = '[0]' and typeof(leaves.value) = 'OBJECT');
