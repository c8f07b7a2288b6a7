select cast(json_value(quantile_numbers, '$[10]') as float64) as median from dated;
