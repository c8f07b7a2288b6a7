select quantiles as quantile_numbers from linker_scans;
