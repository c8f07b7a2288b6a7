select cast(null as double) as row_order from orders;

select cast(null as double) as row_order from orders;
