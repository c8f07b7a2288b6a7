    select listed.*, element
    from linker_joins as listed
    lateral view explode(from_json(from_columns, 'array<string>')) elements as element;
