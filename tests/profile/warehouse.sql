-- Tables of every kind that a run encounters.
create table wide as select {{wide}} from range(20);
create table small_1 as select range as id, 'name ' || range as name from range(30);
create table small_2 as select range as id, range * 1.5 as price from range(30);

-- Sampled: more rows than sample_rows.
create table big as
select
    range as id,
    case when range % 33 = 0 then 0 else range end as almost_id,
    'code ' || (range * 7919 % 50) as code,
    (range * 7919 % 60000) / 100.0 as amount,
    date '2020-01-01' + cast(range % 900 as integer) as day,
    case when range % 4 > 0 then 'note' end as note
from range(60000);
create table huge as select range as id, hash(range) as noise, hash(-range) as more_noise from range(400000);

create schema "we ""ird"".schema";
create table "we ""ird"".schema"."select" ("a b" integer, "select" varchar, "q""uote" varchar, "d.o.t" double, "ü's" date);
insert into "we ""ird"".schema"."select" values (1, 'from', 'q', 0.5, '2024-02-29'), (2, 'where', 'r', 1.5, null);

create table nested (
    id integer,
    address struct(city varchar, geo struct(lat double, lon double)),
    tags varchar[],
    lines struct(sku varchar, parts struct(no integer)[], labels varchar[])[],
    grid struct(x integer)[][],
    document json,
    "odd ""one""" struct("a.b" integer, "select" varchar)
);
insert into nested values
    (
        1, {city: 'Oslo', geo: {lat: 59.9, lon: 10.7}}, ['a', 'b'],
        [{sku: 's1', parts: [{no: 1}, {no: 2}], labels: ['x']}, {sku: 's2', parts: [], labels: ['x', 'y']}],
        [[{x: 1}, {x: 2}], [{x: 2}]],
        '{"user": {"name": "Ann", "age": 30}, "items": [{"sku": "j1"}, {"sku": "j2"}], "ok": true}', {'a.b': 7, 'select': 'u'}
    ),
    (
        2, {city: 'Bergen', geo: null}, ['a'], [{sku: 's1', parts: [{no: 10}, {no: 9}], labels: null}], [],
        '{"user": {"name": "Bob", "age": 41.5}, "items": []}', {'a.b': 8, 'select': 'u'}
    ),
    (3, null, null, null, null, null, null);

create table nothing (a integer, b varchar, c struct(d date), e json, f integer[]);
create table nulls as select cast(null as integer) as a, cast(null as varchar) as b, cast(null as timestamp) as c from range(5);

-- Every personal value contains `marker` or a number that test_privacy.py searches for.
create table people as
select
    range as id,
    'marker' || range || '@example.com' as email,
    '+47 22 86 44 ' || (10 + range % 90) as phone,
    ['DE89370400440532013000', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606'][1 + range % 3] as account,
    ['4111111111111111', '5500005555555559', '340000000000009'][1 + range % 3] as payment,
    'markersecret' || range as api_key,
    'markerhidden' || range as diary,
    'markershape' || range as nickname,
    ['gold', 'silver'][1 + range % 2] as tier,
    {mail: 'marker' || range || '@example.com', api_key: 'markersecret' || range} as contact,
    to_json({mail: 'marker' || range || '@example.com', size: range}) as extra
from range(60);

create table hidden_table as select 'markerhidden' || range as body, range + 770017700100 as number, date '1903-03-03' as born from range(40);

-- The same clients every day, plus one new client a day; and log rows, numbered from 1 every day.
create table clients_20250101 as select range + 500 as client_id, 'n' || range % 7 as name, date '2025-01-01' as day from range(20);
create table clients_20250102 as select range + 500 as client_id, 'n' || range % 7 as name, date '2025-01-02' as day from range(21);
create table clients_20250103 as select range + 500 as client_id, 'n' || range % 7 as name, date '2025-01-03' as day from range(22);
create table log_20250101 as select range + 1 as line, timestamp '2025-01-01' + to_minutes(range) as at from range(20);
create table log_20250102 as select range + 1 as line, timestamp '2025-01-02' + to_minutes(range) as at from range(30);
-- Columns that drift from year to year.
create table survey_2022 as select range + 1000 as answer_id, 'post' as channel, range % 5 as grade, 'p' || range as paper from range(20);
create table survey_2023 as select range + 2000 as answer_id, 'web' as channel, range % 5 as grade, range * 1.5 as score from range(20);
-- More shards than a scan reads.
create table coupons_2020 as select 202000 + range as coupon_id, 'campaign 2020' as campaign, date '2020-06-01' as valid_on, cast('{"of_2020": 1}' as json) as details from range(5);
create table coupons_2021 as select 202100 + range as coupon_id, 'campaign 2021' as campaign, date '2021-06-01' as valid_on, cast('{"of_2021": 1}' as json) as details from range(5);
create table coupons_2022 as select 202200 + range as coupon_id, 'campaign 2022' as campaign, date '2022-06-01' as valid_on, cast('{"of_2022": 1}' as json) as details from range(5);
create table coupons_2023 as select 202300 + range as coupon_id, 'campaign 2023' as campaign, date '2023-06-01' as valid_on, cast('{"of_2023": 1}' as json) as details from range(5);
create table coupons_2024 as select 202400 + range as coupon_id, 'campaign 2024' as campaign, date '2024-06-01' as valid_on, cast('{"of_2024": 1}' as json) as details from range(5);
create table purchases as select range as purchase_id, 500 + range % 22 as client_id from range(60);

create view broken as select id, cast(name as integer) as number from small_1;
create view seen as select id, name from small_1 where id < 10;

create table kept as select range as a from range(100);
create table updated as select range as a from range(100);
create table deleted_from as select range as a from range(100);
create table inserted_into as select range as a from range(100);
create table retyped as select range as a from range(100);
create table extended as select range as a from range(100);
create table old_name as select range as a from range(100);
create table dropped as select range as a from range(100);
checkpoint;
