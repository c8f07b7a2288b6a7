insert into linker.linker_join_measures (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select inline(from_json('[{"from_side": 1, "to_side": 1}, {"from_side": 2, "to_side": 1}]', 'array<struct<from_side: integer, to_side: integer>>'))

),

from_sides as (
    select inline(from_json('[{"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"customer\\"]", "from_fingerprint": "f1", "side": 1}, {"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"refund\'s customer\\"]", "from_fingerprint": "f1", "side": 2}]', 'array<struct<side: integer, from_database: string, from_schema: string, from_table: string, from_columns: string, from_fingerprint: string>>'))

),

to_sides as (
    select inline(from_json('[{"to_database": "shop", "to_schema": "sales", "to_table": "customers", "to_columns": "[\\"name\\"]", "to_fingerprint": "f2", "side": 1}]', 'array<struct<side: integer, to_database: string, to_schema: string, to_table: string, to_columns: string, to_fingerprint: string>>'))

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into linker.linker_join_measures (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with pointing as (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast(`customer` as string) as value_1 from `shop`.`sales`.`orders`) as side_1 union all
        select 2 as side, value_1 from (select value_1 from (select distinct value_1 from (select cast(`refund's customer` as string) as value_1 from `shop`.`sales`.`orders`) as rows_of_table where value_1 is not null) as distinct_values order by md5(cast(value_1 as string)) limit 1000) as side_2
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
    select inline(from_json('[{"from_side": 1, "to_side": 1}, {"from_side": 2, "to_side": 1}]', 'array<struct<from_side: integer, to_side: integer>>'))

),

from_sides as (
    select inline(from_json('[{"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"customer\\"]", "from_fingerprint": "f1", "side": 1}, {"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"refund\'s customer\\"]", "from_fingerprint": "f1", "side": 2}]', 'array<struct<side: integer, from_database: string, from_schema: string, from_table: string, from_columns: string, from_fingerprint: string>>'))

),

to_sides as (
    select inline(from_json('[{"to_database": "shop", "to_schema": "sales", "to_table": "customers", "to_columns": "[\\"name\\"]", "to_fingerprint": "f2", "side": 1}]', 'array<struct<side: integer, to_database: string, to_schema: string, to_table: string, to_columns: string, to_fingerprint: string>>'))

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
    cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz),
    measured.sampled_values,
    measured.found_values,
    cast(null as double)
from measured
inner join from_sides on measured.from_side = from_sides.side
inner join to_sides on measured.to_side = to_sides.side;

insert into linker.linker_join_measures (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select inline(from_json('[{"from_side": 1, "to_side": 1}]', 'array<struct<from_side: integer, to_side: integer>>'))

),

from_sides as (
    select inline(from_json('[{"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"customer\\", \\"day\\"]", "from_fingerprint": "f1", "side": 1}]', 'array<struct<side: integer, from_database: string, from_schema: string, from_table: string, from_columns: string, from_fingerprint: string>>'))

),

to_sides as (
    select inline(from_json('[{"to_database": "shop", "to_schema": "sales", "to_table": "days", "to_columns": "[\\"customer\\", \\"day\\"]", "to_fingerprint": "f2", "side": 1}]', 'array<struct<side: integer, to_database: string, to_schema: string, to_table: string, to_columns: string, to_fingerprint: string>>'))

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into linker.linker_join_measures (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with sample_1 as (
select value_1, value_2 from (select distinct value_1, value_2 from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`orders`) as rows_of_table where value_1 is not null and value_2 is not null) as distinct_values
)

select
    'shop', 'sales', 'orders', '["customer", "day"]', 'f1', 'shop', 'sales', 'days', '["customer", "day"]', 'f2', 
    cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz),
    count(*),
    count(keys.value_1),
    (select cast(count(*) as double) / nullif(sum(row_count), 0) from (select count(*) as row_count from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`days`) as keys group by value_1, value_2) as grouped)
from sample_1 as pointing
left join (select distinct value_1, value_2 from (select cast(`customer` as string) as value_1, cast(`day` as string) as value_2 from `shop`.`sales`.`days`) as rows_of_table) as keys
    on keys.value_1 = pointing.value_1 and keys.value_2 = pointing.value_2;
