select cast(null as float64) as row_order from orders;

select cast(null as float64) as row_order from orders;
