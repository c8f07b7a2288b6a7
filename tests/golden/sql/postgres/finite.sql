select case when amount not in ('Infinity', '-Infinity', 'NaN') then amount end as amount from orders;
