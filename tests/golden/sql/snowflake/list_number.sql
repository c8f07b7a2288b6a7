select cast(get(parse_json(quantile_numbers), 10) as double) as median from dated;
