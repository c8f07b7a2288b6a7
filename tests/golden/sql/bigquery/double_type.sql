select cast(amount as float64) as amount from orders;
