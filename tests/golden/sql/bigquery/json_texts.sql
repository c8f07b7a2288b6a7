    select listed.*, element
    from linker_joins as listed
    cross join unnest(json_value_array(from_columns)) as element;
