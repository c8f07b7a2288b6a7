select case when cast(amount as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then amount end as amount from orders;
