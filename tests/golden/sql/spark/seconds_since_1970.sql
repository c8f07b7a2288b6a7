select timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast(ordered_at as timestamp_ntz)) / 1000000 as seconds from orders;
