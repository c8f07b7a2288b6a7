select case when cast(amount as double) not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then cast(amount as double) end as amount from orders;
