    select place, name, is_old
    from (
        values
        (cast(1 as integer), cast('it''s' as TEXT), cast(true as boolean)),
        (cast(2 as integer), cast(null as TEXT), cast(false as boolean))
    ) as inline_rows (place, name, is_old);
