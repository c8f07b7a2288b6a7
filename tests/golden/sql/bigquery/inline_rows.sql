    select place, name
    from unnest([
        struct(1 as place, 'a' as name),
        struct(2, 'b')
    ]);
