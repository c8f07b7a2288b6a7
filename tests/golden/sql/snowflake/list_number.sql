select cast(get(parse_json(quantiles), 10) as double) as median from linker_scans;
