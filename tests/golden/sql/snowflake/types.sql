-- NUMBER(38,0): integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as varchar) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- NUMBER(12,2): number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as varchar) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- DECFLOAT: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double precision)) as mean,
    stddev_samp(cast(v as double precision)) as deviation,
    cast(v as varchar) as sampled_text,
    cast(v as double precision) as sampled_number
from source;

-- FLOAT: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(case when v not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then v end) as min_value,
    max(case when v not in (cast('inf' as double), cast('-inf' as double), cast('NaN' as double)) then v end) as max_value,
    avg(case when abs(v) < 1e150 then cast(v as double precision) end) as mean,
    stddev_samp(case when abs(v) < 1e150 then cast(v as double precision) end) as deviation,
    cast(case when v = 0 then 0 else v end as varchar) as sampled_text,
    case when abs(v) < 1e150 then cast(v as double precision) end as sampled_number
from source;

-- TEXT: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as varchar)) <= 256 then cast(v as varchar) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- TEXT(3): text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as varchar)) <= 256 then cast(v as varchar) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- BINARY: binary
select
    count(v) as value_count,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length
from source;

-- BOOLEAN: boolean
select
    count(v) as value_count,
    cast(v as varchar) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- DATE: date
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    to_char(v, 'YYYY-MM-DD') as sampled_text,
    cast(date_part(epoch_microsecond, cast(v as timestamp_ntz)) as double) / 1000000 as sampled_number
from source;

-- TIME: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as varchar) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- TIMESTAMP_LTZ: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    regexp_replace(to_char(cast(v as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6'), '[.]?0*$', '') as sampled_text,
    cast(date_part(epoch_microsecond, cast(v as timestamp_ntz)) as double) / 1000000 as sampled_number
from source;

-- TIMESTAMP_NTZ: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    regexp_replace(to_char(cast(v as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6'), '[.]?0*$', '') as sampled_text,
    cast(date_part(epoch_microsecond, cast(v as timestamp_ntz)) as double) / 1000000 as sampled_number
from source;

-- TIMESTAMP_TZ: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    regexp_replace(to_char(cast(v as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6'), '[.]?0*$', '') as sampled_text,
    cast(date_part(epoch_microsecond, cast(v as timestamp_ntz)) as double) / 1000000 as sampled_number
from source;

-- INTERVAL DAY TO SECOND: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as varchar) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- UUID: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(cast(v as varchar)) as min_value,
    max(cast(v as varchar)) as max_value,
    min(length(cast(v as varchar))) as min_length,
    max(length(cast(v as varchar))) as max_length,
    avg(length(cast(v as varchar))) as mean_length,
    case when length(cast(v as varchar)) <= 256 then cast(v as varchar) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- VARIANT: json
select
    count(v) as value_count,
    case when length(to_json(v)) <= 16384 then to_json(v) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- OBJECT: json
select
    count(v) as value_count,
    case when length(to_json(v)) <= 16384 then to_json(v) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- ARRAY: list
select
    count(v) as value_count,
    min(array_size(v)) as min_length,
    max(array_size(v)) as max_length,
    avg(array_size(v)) as mean_length,
    case when length(to_json(v)) <= 16384 then to_json(v) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- MAP: other
select
    count(v) as value_count
from source;

-- GEOGRAPHY: other
select
    count(v) as value_count
from source;

-- GEOMETRY: other
select
    count(v) as value_count
from source;

-- VECTOR: other
select
    count(v) as value_count
from source;

-- FILE: other
select
    count(v) as value_count
from source;
