select cast(null as double precision) as row_order from orders;

select cast(null as double precision) as row_order from orders;
