insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at)
with pairs as (
    select inline(from_json('[{"from_side": 1, "to_side": 1}]', 'array<struct<from_side: integer, to_side: integer>>'))

),

from_sides as (
    select inline(from_json('[{"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"customer\\"]", "from_fingerprint": "f1", "side": 1}]', 'array<struct<side: integer, from_database: string, from_schema: string, from_table: string, from_columns: string, from_fingerprint: string>>'))

),

to_sides as (
    select inline(from_json('[{"to_database": "shop", "to_schema": "sales", "to_table": "customers", "to_columns": "[\\"name\\"]", "to_fingerprint": "f2", "side": 1}]', 'array<struct<side: integer, to_database: string, to_schema: string, to_table: string, to_columns: string, to_fingerprint: string>>'))

)

select from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)
from pairs
inner join from_sides on pairs.from_side = from_sides.side
inner join to_sides on pairs.to_side = to_sides.side;

insert into `shop`.`linker`.`linker_join_measures` (from_database, from_schema, from_table, from_columns, from_fingerprint, to_database, to_schema, to_table, to_columns, to_fingerprint, measured_at, sampled_values, found_values, key_uniqueness)
with pointing as (
    select distinct side, value_1
    from (
        select 1 as side, value_1 from (select cast(`customer` as string) as value_1 from `shop`.`sales`.`orders`) as side_1
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
    select inline(from_json('[{"from_side": 1, "to_side": 1}]', 'array<struct<from_side: integer, to_side: integer>>'))

),

from_sides as (
    select inline(from_json('[{"from_database": "shop", "from_schema": "sales", "from_table": "orders", "from_columns": "[\\"customer\\"]", "from_fingerprint": "f1", "side": 1}]', 'array<struct<side: integer, from_database: string, from_schema: string, from_table: string, from_columns: string, from_fingerprint: string>>'))

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
