select cast(cast(quantile_numbers as json) ->> 10 as double precision) as median from dated;
