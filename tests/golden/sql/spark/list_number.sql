select get(quantile_numbers, 10) as median from dated;
