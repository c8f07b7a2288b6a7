    select
        documents.column_number,
        regexp_replace(
            regexp_replace(regexp_replace(leaves.fullkey, '\[[0-9]+\]', '', 'g'), '^\$\.?', ''), '"([^".]*)"', '\1', 'g'
        ) as sub_path,
        case leaves.type
            when 'VARCHAR' then 'text'
            when 'BOOLEAN' then 'boolean'
            when 'OBJECT' then 'struct'
            when 'NULL' then 'null'
            when 'DOUBLE' then 'number'
            else 'integer'
        end as leaf_kind,
        case when leaves.type not in ('OBJECT', 'NULL') then leaves.atom ->> '$' end as value
    from documents
    cross join lateral json_tree(documents.value) as leaves
    where leaves.type <> 'ARRAY' and not (leaves.fullkey = '$' and leaves.type = 'OBJECT');
