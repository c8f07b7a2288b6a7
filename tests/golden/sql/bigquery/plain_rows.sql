    select place, name, is_old
    from unnest([
        struct(cast(1 as integer) as place, cast('it\'s' as string) as name, cast(true as boolean) as is_old),
        struct(cast(2 as integer), cast(null as string), cast(false as boolean))
    ]);
