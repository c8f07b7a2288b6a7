select case when isfinite(ordered_at) then cast(epoch(ordered_at) as double) end as seconds from orders;
