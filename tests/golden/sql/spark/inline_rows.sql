    select place, name
    from (
        values
        (1, 'a'),
        (2, 'b')
    ) as inline_rows (place, name);
