-- tinyint: integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double)) as mean,
    stddev_samp(cast(v as double)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as double) as sampled_number
from source;

-- bigint: integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double)) as mean,
    stddev_samp(cast(v as double)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as double) as sampled_number
from source;

-- float: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(case when cast(v as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then v end) as min_value,
    max(case when cast(v as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then v end) as max_value,
    avg(case when abs(v) < 1e150 then cast(v as double) end) as mean,
    stddev_samp(case when abs(v) < 1e150 then cast(v as double) end) as deviation,
    cast(case when v = 0 then 0 else v end as string) as sampled_text,
    case when abs(v) < 1e150 then cast(v as double) end as sampled_number
from source;

-- double: number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(case when cast(v as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then v end) as min_value,
    max(case when cast(v as double) not in (cast('Infinity' as double), cast('-Infinity' as double), cast('NaN' as double)) then v end) as max_value,
    avg(case when abs(v) < 1e150 then cast(v as double) end) as mean,
    stddev_samp(case when abs(v) < 1e150 then cast(v as double) end) as deviation,
    cast(case when v = 0 then 0 else v end as string) as sampled_text,
    case when abs(v) < 1e150 then cast(v as double) end as sampled_number
from source;

-- decimal(38,0): integer
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double)) as mean,
    stddev_samp(cast(v as double)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as double) as sampled_number
from source;

-- decimal(12,2): number
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(v as double)) as mean,
    stddev_samp(cast(v as double)) as deviation,
    cast(v as string) as sampled_text,
    cast(v as double) as sampled_number
from source;

-- string: text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as string)) <= 256 then cast(v as string) end as sampled_text,
    cast(null as double) as sampled_number
from source;

-- varchar(3): text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as string)) <= 256 then cast(v as string) end as sampled_text,
    cast(null as double) as sampled_number
from source;

-- char(3): text
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(cast(v as string)) as min_value,
    max(cast(v as string)) as max_value,
    min(length(cast(v as string))) as min_length,
    max(length(cast(v as string))) as max_length,
    avg(length(cast(v as string))) as mean_length,
    case when length(cast(v as string)) <= 256 then cast(v as string) end as sampled_text,
    cast(null as double) as sampled_number
from source;

-- binary: binary
select
    count(v) as value_count,
    min(octet_length(v)) as min_length,
    max(octet_length(v)) as max_length,
    avg(octet_length(v)) as mean_length
from source;

-- boolean: boolean
select
    count(v) as value_count,
    cast(v as string) as sampled_text,
    cast(null as double) as sampled_number
from source;

-- date: date
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast(v as timestamp_ntz)) / 1000000 as sampled_number
from source;

-- time: time
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    cast(null as double) as sampled_number
from source;

-- timestamp: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast(v as timestamp_ntz)) / 1000000 as sampled_number
from source;

-- timestamp_ntz: timestamp
select
    count(v) as value_count,
    approx_count_distinct(v) as distinct_estimate,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast(v as timestamp_ntz)) / 1000000 as sampled_number
from source;

-- interval: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as string) as sampled_text,
    cast(null as double) as sampled_number
from source;

-- variant: json
select
    count(v) as value_count,
    case when length(to_json(v)) <= 16384 then to_json(v) end as sampled_text,
    cast(null as double) as sampled_number
from source;

-- map<string,int>: json
select
    count(v) as value_count,
    case when length(to_json(v)) <= 16384 then to_json(v) end as sampled_text,
    cast(null as double) as sampled_number
from source;

-- array<int>: list
select
    count(v) as value_count,
    min(cardinality(v)) as min_length,
    max(cardinality(v)) as max_length,
    avg(cardinality(v)) as mean_length,
    cast(element as string) as sampled_text,
    cast(element as double) as sampled_number
from source;

-- array<array<date>>: list
select
    count(v) as value_count,
    min(cardinality(v)) as min_length,
    max(cardinality(v)) as max_length,
    avg(cardinality(v)) as mean_length,
    cast(element as string) as sampled_text,
    timestampdiff(microsecond, timestamp_ntz'1970-01-01 00:00:00', cast(element as timestamp_ntz)) / 1000000 as sampled_number
from source;

-- struct<n:int>: struct
select
    count(v) as value_count
from source;

-- geometry: other
select
    count(v) as value_count
from source;
