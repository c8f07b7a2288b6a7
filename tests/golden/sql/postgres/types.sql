-- numeric: number
select
    count(v) as value_count,
    min(case when v not in ('Infinity', '-Infinity', 'NaN') then v end) as min_value,
    max(case when v not in ('Infinity', '-Infinity', 'NaN') then v end) as max_value,
    avg(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as double precision) end) as mean,
    stddev_samp(case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as double precision) end) as deviation,
    cast(trim_scale(v) as text) as sampled_text,
    case when abs(v) < 1e-150 then 0 when abs(v) < 1e150 then cast(v as double precision) end as sampled_number
from source;

-- money: number
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(cast(v as numeric) as double precision)) as mean,
    stddev_samp(cast(cast(v as numeric) as double precision)) as deviation,
    cast(cast(v as numeric) as text) as sampled_text,
    cast(cast(v as numeric) as double precision) as sampled_number
from source;

-- oid: integer
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    avg(cast(cast(v as bigint) as double precision)) as mean,
    stddev_samp(cast(cast(v as bigint) as double precision)) as deviation,
    cast(cast(v as bigint) as text) as sampled_text,
    cast(cast(v as bigint) as double precision) as sampled_number
from source;

-- "char": text
select
    count(v) as value_count,
    min(cast(v as text)) as min_value,
    max(cast(v as text)) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- name: text
select
    count(v) as value_count,
    min(cast(v as text)) as min_value,
    max(cast(v as text)) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- public.citext: text
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    min(length(v)) as min_length,
    max(length(v)) as max_length,
    avg(length(v)) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- uuid: text
select
    count(v) as value_count,
    min(cast(v as text)) as min_value,
    max(cast(v as text)) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- inet: text
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- cidr: text
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- macaddr: text
select
    count(v) as value_count,
    min(cast(v as text)) as min_value,
    max(cast(v as text)) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- xml: text
select
    count(v) as value_count,
    min(cast(v as text)) as min_value,
    max(cast(v as text)) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- enum('small', 'large'): text
select
    count(v) as value_count,
    min(array_position(cast(array['small', 'large'] as text[]), cast(v as text))) as min_value,
    max(array_position(cast(array['small', 'large'] as text[]), cast(v as text))) as max_value,
    min(length(cast(v as text))) as min_length,
    max(length(cast(v as text))) as max_length,
    avg(length(cast(v as text))) as mean_length,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- enum('small')[]: list
select
    count(v) as value_count,
    min(cardinality(v)) as min_length,
    max(cardinality(v)) as max_length,
    avg(cardinality(v)) as mean_length,
    case when length(cast(to_jsonb(v) as text)) <= 16384 then cast(to_jsonb(v) as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- money[]: list
select
    count(v) as value_count,
    min(cardinality(v)) as min_length,
    max(cardinality(v)) as max_length,
    avg(cardinality(v)) as mean_length,
    case when length(cast(to_jsonb(cast(v as numeric[])) as text)) <= 16384 then cast(to_jsonb(cast(v as numeric[])) as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- bit(3): other
select
    count(v) as value_count,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- bytea: binary
select
    count(v) as value_count,
    min(octet_length(v)) as min_length,
    max(octet_length(v)) as max_length,
    avg(octet_length(v)) as mean_length
from source;

-- int4range: other
select
    count(v) as value_count,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- datemultirange: other
select
    count(v) as value_count,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- interval: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as text) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- interval day to second: interval
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as text) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- time with time zone: time
select
    count(v) as value_count,
    min(v) as min_value,
    max(v) as max_value,
    cast(v as text) as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- tsvector: other
select
    count(v) as value_count,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- point: other
select
    count(v) as value_count,
    case when length(cast(v as text)) <= 256 then cast(v as text) end as sampled_text,
    cast(null as double precision) as sampled_number
from source;

-- public.geometry(Point,4326): other
select
    count(v) as value_count
from source;

-- struct<shop.part>: struct
select
    count(v) as value_count
from source;
