select cast(cast(quantiles as json) ->> 10 as double precision) as median from linker_scans;
