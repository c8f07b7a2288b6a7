    select column_number, place, value, value_count
    from (
        select *, row_number() over (partition by column_number order by value_count desc, value) as place
        from counted
    ) as numbered
    where place <= case when is_text then 200 else 25 end;
