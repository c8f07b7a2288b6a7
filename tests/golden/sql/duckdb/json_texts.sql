    select listed.*, unnest(from_json(from_columns, '["VARCHAR"]')) as element
    from linker_joins as listed;
