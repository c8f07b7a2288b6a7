select cast(date_part(epoch_microsecond, cast(ordered_at as timestamp_ntz)) as double) / 1000000 as seconds from orders;
