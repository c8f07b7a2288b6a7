insert into "shop"."linker"."linker_join_measures" (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select from_side, to_side
    from (
        values
        (cast(1 as integer), cast(1 as integer)),
        (cast(2 as integer), cast(1 as integer))
    ) as inline_rows (from_side, to_side)

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('orders' as TEXT), cast('["customer"]' as TEXT), cast('f1' as TEXT)),
        (cast(2 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('orders' as TEXT), cast('["refund''s customer"]' as TEXT), cast('f1' as TEXT))
    ) as inline_rows (side, from_database, from_schema, from_table, from_columns, from_fingerprint)

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('customers' as TEXT), cast('["name"]' as TEXT), cast('f2' as TEXT))
    ) as inline_rows (side, to_database, to_schema, to_table, to_columns, to_fingerprint)

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, cast(clock_timestamp() at time zone 'UTC' as timestamp)
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into "shop"."linker"."linker_join_measures" (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with pointing as materialized (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast("customer" as text) as value_1 from "shop"."sales"."orders") as side_1 union all
        select 2 as side, value_1 from (select value_1 from (select distinct value_1 from (select cast("refund's customer" as text) as value_1 from "shop"."sales"."orders") as rows_of_table where value_1 is not null) as distinct_values order by md5(cast(value_1 as TEXT)) limit 1000) as side_2
    ) as values_of_sides
    where value_1 is not null
),

keys as materialized (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast("name" as text) as value_1 from "shop"."sales"."customers") as side_1
    ) as values_of_sides
    where value_1 is not null
),

pairs as (
    select from_side, to_side
    from (
        values
        (cast(1 as integer), cast(1 as integer)),
        (cast(2 as integer), cast(1 as integer))
    ) as inline_rows (from_side, to_side)

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('orders' as TEXT), cast('["customer"]' as TEXT), cast('f1' as TEXT)),
        (cast(2 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('orders' as TEXT), cast('["refund''s customer"]' as TEXT), cast('f1' as TEXT))
    ) as inline_rows (side, from_database, from_schema, from_table, from_columns, from_fingerprint)

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('customers' as TEXT), cast('["name"]' as TEXT), cast('f2' as TEXT))
    ) as inline_rows (side, to_database, to_schema, to_table, to_columns, to_fingerprint)

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
    cast(clock_timestamp() at time zone 'UTC' as timestamp),
    measured.sampled_values,
    measured.found_values,
    cast(null as double precision)
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side;

insert into "shop"."linker"."linker_join_measures" (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select from_side, to_side
    from (
        values
        (cast(1 as integer), cast(1 as integer))
    ) as inline_rows (from_side, to_side)

),

from_sides as (
    select side, from_database, from_schema, from_table, from_columns, from_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('orders' as TEXT), cast('["customer", "day"]' as TEXT), cast('f1' as TEXT))
    ) as inline_rows (side, from_database, from_schema, from_table, from_columns, from_fingerprint)

),

to_sides as (
    select side, to_database, to_schema, to_table, to_columns, to_fingerprint
    from (
        values
        (cast(1 as integer), cast('shop' as TEXT), cast('sales' as TEXT), cast('days' as TEXT), cast('["customer", "day"]' as TEXT), cast('f2' as TEXT))
    ) as inline_rows (side, to_database, to_schema, to_table, to_columns, to_fingerprint)

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, cast(clock_timestamp() at time zone 'UTC' as timestamp)
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into "shop"."linker"."linker_join_measures" (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with sample_1 as materialized (
select value_1, value_2 from (select distinct value_1, value_2 from (select cast("customer" as text) as value_1, cast("day" as text) as value_2 from "shop"."sales"."orders") as rows_of_table where value_1 is not null and value_2 is not null) as distinct_values
)

select
    'shop', 'sales', 'orders', '["customer", "day"]', 'f1', 'shop', 'sales', 'days', '["customer", "day"]', 'f2', 
    cast(clock_timestamp() at time zone 'UTC' as timestamp),
    count(*),
    count(keys.value_1),
    (select cast(count(*) as double precision) / nullif(sum(row_count), 0) from (select count(*) as row_count from (select cast("customer" as text) as value_1, cast("day" as text) as value_2 from "shop"."sales"."days") as keys group by value_1, value_2) as grouped)
from sample_1 as pointing
left join (select distinct value_1, value_2 from (select cast("customer" as text) as value_1, cast("day" as text) as value_2 from "shop"."sales"."days") as rows_of_table) as keys
    on keys.value_1 = pointing.value_1 and keys.value_2 = pointing.value_2;
