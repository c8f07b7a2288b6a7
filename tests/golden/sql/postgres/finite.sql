select case when cast(amount as double precision) not in ('Infinity', '-Infinity', 'NaN') then cast(amount as double precision) end as amount from orders;
