select unix_micros(cast(ordered_at as timestamp)) / 1000000 as seconds from orders;
