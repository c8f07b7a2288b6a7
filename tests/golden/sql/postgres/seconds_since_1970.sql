select case when isfinite(ordered_at) then cast(extract(epoch from ordered_at) as double precision) end as seconds from orders;
