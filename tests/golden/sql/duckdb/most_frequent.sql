    select column_number, place, one.value as value, -one.before as value_count
    from (
        select
            column_number,
            unnest(found) as one,
            generate_subscripts(found, 1) as place
        from (
            select
                column_number,
                coalesce(
                    min({'before': -value_count, 'value': value}, 200) filter (where is_text),
                    min({'before': -value_count, 'value': value}, 25) filter (where not is_text)
                ) as found
            from counted
            group by column_number
        ) as grouped
    ) as unnested;
