select case when isfinite(amount) then amount end as amount from orders;
