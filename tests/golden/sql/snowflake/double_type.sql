select cast(amount as double precision) as amount from orders;
