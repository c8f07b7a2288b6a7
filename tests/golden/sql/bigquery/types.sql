-- INT64: integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as float64)) as mean,
    stddev_samp(cast(v as float64)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as float64) as sampled_number
from source;

-- NUMERIC: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as min_value,
    max(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as max_value,
    avg(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end) as mean,
    stddev_samp(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end) as deviation,
    cast(v as string) as sampled_text,
    case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end as sampled_number
from source;

-- NUMERIC(12, 2): number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as min_value,
    max(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as max_value,
    avg(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end) as mean,
    stddev_samp(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end) as deviation,
    cast(v as string) as sampled_text,
    case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as float64) end as sampled_number
from source;

-- BIGNUMERIC: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as float64)) as mean,
    stddev_samp(cast(v as float64)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as float64) as sampled_number
from source;

-- FLOAT64: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as min_value,
    max(if(is_inf(cast(v as float64)) or is_nan(cast(v as float64)), null, v)) as max_value,
    avg(case when abs(v) < 1e150 then cast(v as float64) end) as mean,
    stddev_samp(case when abs(v) < 1e150 then cast(v as float64) end) as deviation,
    cast(case when v = 0 then 0 else v end as string) as sampled_text,
    case when abs(v) < 1e150 then cast(v as float64) end as sampled_number
from source;

-- STRING: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as string)) <= 256 then cast(v as string) end as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- STRING(3): text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as string)) <= 256 then cast(v as string) end as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- BYTES: binary
select
    count(v) as value_count,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length
from source;

-- BOOL: boolean
select
    count(v) as value_count,
    cast(v as string) as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- DATE: date
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    unix_micros(cast(v as timestamp)) / 1000000 as sampled_number
from source;

-- TIME: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- DATETIME: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    unix_micros(cast(v as timestamp)) / 1000000 as sampled_number
from source;

-- TIMESTAMP: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    unix_micros(cast(v as timestamp)) / 1000000 as sampled_number
from source;

-- INTERVAL: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- RANGE<DATE>: other
select
    count(v) as value_count,
    case when length(format('%t', v)) <= 256 then format('%t', v) end as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- GEOGRAPHY: other
select
    count(v) as value_count
from source;

-- JSON: json
select
    count(v) as value_count,
    case when length(to_json_string(v)) <= 16384 then to_json_string(v) end as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- ARRAY<INT64>: list
select
    count(v) as value_count,
    min(array_length(v)) as min_length,
    max(array_length(v)) as max_length,
    avg(array_length(v)) as mean_length,
    cast(element as string) as sampled_text,
    cast(element as float64) as sampled_number
from source;

-- ARRAY<RANGE<DATE>>: list
select
    count(v) as value_count,
    min(array_length(v)) as min_length,
    max(array_length(v)) as max_length,
    avg(array_length(v)) as mean_length,
    case when length(format('%t', element)) <= 256 then format('%t', element) end as sampled_text,
    cast(null as float64) as sampled_number
from source;

-- STRUCT<n INT64>: struct
select
    count(v) as value_count
from source;
