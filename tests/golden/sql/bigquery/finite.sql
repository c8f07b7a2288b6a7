select if(is_inf(cast(amount as float64)) or is_nan(cast(amount as float64)), null, cast(amount as float64)) as amount from orders;
