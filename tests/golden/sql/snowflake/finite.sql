select case when amount not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then amount end as amount from orders;
