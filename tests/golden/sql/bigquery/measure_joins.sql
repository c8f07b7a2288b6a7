insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select from_side, to_side
    from unnest([
        struct(cast(1 as integer) as from_side, cast(1 as integer) as to_side),
        struct(cast(2 as integer), cast(1 as integer))
    ])

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as from_database, cast('sales' as string) as from_schema, cast('orders' as string) as from_table, cast('["customer"]' as string) as from_columns, cast('f1' as string) as from_fingerprint),
        struct(cast(2 as integer), cast('shop' as string), cast('sales' as string), cast('orders' as string), cast('["refund\'s customer"]' as string), cast('f1' as string))
    ])

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as to_database, cast('sales' as string) as to_schema, cast('customers' as string) as to_table, cast('["name"]' as string) as to_columns, cast('f2' as string) as to_fingerprint)
    ])

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, current_timestamp()
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with pointing as (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast(`customer` as string) as value_1 from `shop`.`sales`.`orders`) as side_1 union all
        select 2 as side, value_1 from (select value_1 from (select distinct value_1 from (select cast(`refund's customer` as string) as value_1 from `shop`.`sales`.`orders`) as rows_of_table where value_1 is not null) as distinct_values order by to_hex(md5(cast(value_1 as string))) limit 1000) as side_2
    ) as values_of_sides
    where value_1 is not null
),

keys as (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast(`name` as string) as value_1 from `shop`.`sales`.`customers`) as side_1
    ) as values_of_sides
    where value_1 is not null
),

pairs as (
    select from_side, to_side
    from unnest([
        struct(cast(1 as integer) as from_side, cast(1 as integer) as to_side),
        struct(cast(2 as integer), cast(1 as integer))
    ])

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as from_database, cast('sales' as string) as from_schema, cast('orders' as string) as from_table, cast('["customer"]' as string) as from_columns, cast('f1' as string) as from_fingerprint),
        struct(cast(2 as integer), cast('shop' as string), cast('sales' as string), cast('orders' as string), cast('["refund\'s customer"]' as string), cast('f1' as string))
    ])

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as to_database, cast('sales' as string) as to_schema, cast('customers' as string) as to_table, cast('["name"]' as string) as to_columns, cast('f2' as string) as to_fingerprint)
    ])

),

measured as (
    select
        pairs.from_side,
        pairs.to_side,
        count(pointing.value_1) as sampled_values,
        count(keys.value_1) as found_values
    from pairs
    left join pointing on pairs.from_side = pointing.side
    left join keys on pairs.to_side = keys.side and pointing.value_1 = keys.value_1
    group by pairs.from_side, pairs.to_side
)

select
    from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint,
    current_timestamp(),
    measured.sampled_values,
    measured.found_values,
    cast(null as float64)
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side;

insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select from_side, to_side
    from unnest([
        struct(cast(1 as integer) as from_side, cast(1 as integer) as to_side)
    ])

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as from_database, cast('sales' as string) as from_schema, cast('orders' as string) as from_table, cast('["customer", "day"]' as string) as from_columns, cast('f1' as string) as from_fingerprint)
    ])

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from unnest([
        struct(cast(1 as integer) as side, cast('shop' as string) as to_database, cast('sales' as string) as to_schema, cast('days' as string) as to_table, cast('["customer", "day"]' as string) as to_columns, cast('f2' as string) as to_fingerprint)
    ])

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, current_timestamp()
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with sample_1 as (
select value_1, value_2 from (select distinct value_1, value_2 from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`orders`) as rows_of_table where value_1 is not null and value_2 is not null) as distinct_values
)

select
    'shop', 'sales', 'orders', '["customer", "day"]', 'f1', 'shop', 'sales', 'days', '["customer", "day"]', 'f2', 
    current_timestamp(),
    count(*),
    count(keys.value_1),
    (select cast(count(*) as float64) / nullif(sum(row_count), 0) from (select count(*) as row_count from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`days`) as keys group by value_1, value_2) as grouped)
from sample_1 as pointing
left join (select distinct value_1, value_2 from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`days`) as rows_of_table) as keys
    on keys.value_1 = pointing.value_1 and keys.value_2 = pointing.value_2;
