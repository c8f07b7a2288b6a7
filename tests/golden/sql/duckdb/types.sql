-- HUGEINT: integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as TEXT) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- UHUGEINT: integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as TEXT) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- BIGNUM: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(cast(v as TEXT))) as min_length,
    max(length(cast(v as TEXT))) as max_length,
    avg(length(cast(v as TEXT))) as mean_length,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- DECIMAL(12,2): number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as TEXT) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- FLOAT: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(case when isfinite(v) then v end) as min_value,
    max(case when isfinite(v) then v end) as max_value,
    avg(case when abs(v) < 1e150 then cast(v as double precision) end) as mean,
    stddev_samp(case when abs(v) < 1e150 then cast(v as double precision) end) as deviation,
    cast(case when v = 0 then 0 else v end as TEXT) as sampled_text,
    case when abs(v) < 1e150 then cast(v as double precision) end as sampled_number
from source;

-- UUID: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(cast(v as TEXT)) as min_value,
    max(cast(v as TEXT)) as max_value,
    min(length(cast(v as TEXT))) as min_length,
    max(length(cast(v as TEXT))) as max_length,
    avg(length(cast(v as TEXT))) as mean_length,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- ENUM('small', 'large'): text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(cast(v as TEXT))) as min_length,
    max(length(cast(v as TEXT))) as max_length,
    avg(length(cast(v as TEXT))) as mean_length,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- BIT: other
select
    count(v) as value_count,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- BLOB: binary
select
    count(v) as value_count,
    min(octet_length(v)) as min_length,
    max(octet_length(v)) as max_length,
    avg(octet_length(v)) as mean_length
from source;

-- DATE: date
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    case when isfinite(v) then cast(epoch(v) as double) end as sampled_number
from source;

-- TIME: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- TIME_NS: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- TIME WITH TIME ZONE: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- TIMESTAMP_NS: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    case when isfinite(v) then cast(epoch(v) as double) end as sampled_number
from source;

-- TIMESTAMP WITH TIME ZONE: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    case when isfinite(v) then cast(epoch(v) as double) end as sampled_number
from source;

-- INTERVAL: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as TEXT) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- VARIANT: json
select
    count(v) as value_count,
    case when length(cast(to_json(v) as TEXT)) <= 16384 then cast(to_json(v) as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- GEOMETRY: other
select
    count(v) as value_count
from source;

-- MAP(VARCHAR, INTEGER): other
select
    count(v) as value_count,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- UNION(n INTEGER, t VARCHAR): other
select
    count(v) as value_count,
    case when length(cast(v as TEXT)) <= 256 then cast(v as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- INTEGER[3]: list
select
    count(v) as value_count,
    min(len(v)) as min_length,
    max(len(v)) as max_length,
    avg(len(v)) as mean_length,
    cast(element as TEXT) as sampled_text,
    cast(element as double precision) as sampled_number
from source;

-- UUID[][]: list
select
    count(v) as value_count,
    min(len(v)) as min_length,
    max(len(v)) as max_length,
    avg(len(v)) as mean_length,
    case when length(cast(element as TEXT)) <= 256 then cast(element as TEXT) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;
