select cast(unix_seconds(cast(ordered_at as timestamp)) as float64) as seconds from orders;
