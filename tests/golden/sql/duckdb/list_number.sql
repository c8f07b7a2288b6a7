select quantile_numbers[11] as median from dated;
