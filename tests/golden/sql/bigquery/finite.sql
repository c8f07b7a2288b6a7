select if(is_inf(cast(amount as float64)) or is_nan(cast(amount as float64)), null, amount) as amount from orders;
