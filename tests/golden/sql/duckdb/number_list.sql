select cast(cast(quantiles as json) as double[]) as quantile_numbers from linker_scans;
