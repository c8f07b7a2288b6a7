select cast(amount as double) as amount from orders;
