select cast(json_value(quantiles, '$[10]') as float64) as median from linker_scans;
