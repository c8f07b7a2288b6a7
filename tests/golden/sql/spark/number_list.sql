select from_json(quantiles, 'array<double>') as quantile_numbers from linker_scans;
