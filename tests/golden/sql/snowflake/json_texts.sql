    select listed.*, cast(elements.value as varchar) as element
    from linker_joins as listed
    cross join lateral flatten(input => parse_json(from_columns)) as elements;
