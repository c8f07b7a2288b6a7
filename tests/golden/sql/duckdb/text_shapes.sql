    select
        column_number,
        unnest(string_split(
            case
                when regexp_matches(joined, '[^\t\n\r\x{001f} -~]')
                    then regexp_replace(regexp_replace(regexp_replace(translate(joined, 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999'), '[\p{Lu}\p{Lt}]', 'A', 'g'), '[\x{00b2}-\x{00b3}\x{00b9}\x{00bc}-\x{00be}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{0966}-\x{096f}\x{09e6}-\x{09ef}\x{0e50}-\x{0e59}\x{ff10}-\x{ff19}]', '9', 'g'), '[^\t\n\r -~\x{00a0}-\x{00a9}\x{00ab}-\x{00b1}\x{00b4}\x{00b6}-\x{00b8}\x{00bb}\x{00bf}\x{00d7}\x{00f7}\x{2000}-\x{200a}\x{2010}-\x{2027}\x{202f}-\x{205f}\x{20a0}-\x{20bf}\x{2190}-\x{22ff}\x{2500}-\x{26ff}\x{3000}-\x{3004}\x{3008}-\x{301b}\x{001f}]', 'a', 'g')
                else translate(joined, 'BCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz012345678', 'AAAAAAAAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaa999999999')
            end,
            chr(31)
        )) as shape,
        unnest(list_transform(texts, lambda one: one.value_count)) as value_count
    from (
        select
            *,
            array_to_string(list_transform(texts, lambda one: one.start), chr(31)) as joined
        from (
            select
                column_number,
                list({
                    'start': replace(left(value, 32), chr(31), 'a') || case when length(value) > 32 then '...' else '' end,
                    'value_count': value_count
                }) as texts
            from texts
            group by column_number
        ) as grouped
    ) as listed;
