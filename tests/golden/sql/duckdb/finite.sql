select case when isfinite(cast(amount as double)) then cast(amount as double) end as amount from orders;
