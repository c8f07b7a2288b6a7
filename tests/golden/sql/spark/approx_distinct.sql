select approx_count_distinct(amount) as estimate from orders;
