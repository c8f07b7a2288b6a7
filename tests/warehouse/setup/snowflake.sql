-- The warehouse of duckdb.sql in Snowflake's SQL. Quoted names keep their spelling in all warehouses.
create schema "shop";
create schema "web";
create schema "scratch";

create table "shop"."orders" (
    "order_id" number(38, 0) not null,
    "customer_id" number(38, 0),
    "ordered_on" date,
    "ordered_at" timestamp_ntz,
    "Total (€)" number(10, 2),
    "is_gift" boolean,
    "status" varchar,
    "note" varchar,
    "legacy_code" varchar,
    "details" variant,
    "tags" array,
    "receipt" binary
) comment = 'One row per order';
comment on column "shop"."orders"."ordered_on" is 'Day of the customer''s order';
insert into "shop"."orders"
select
    column1, column2, column3::date, column4::timestamp_ntz, column5, column6, column7, column8, null,
    parse_json(column9), parse_json(column10)::array, to_binary(column11, 'hex')
from values
(1, 10, '2025-01-01', '2025-01-01 09:00:00', 10, true, 'paid', 'first',
 '{"channel":"web","items":[{"sku":"A-1","quantity":2},{"sku":"B-2","quantity":1}]}', '["red","blue"]', '00FF'),
(2, 10, '2025-01-02', '2025-01-02 10:30:00', 20, false, 'paid', '',
 '{"channel":"store","items":[]}', '["red"]', ''),
(3, 11, '2025-01-02', '2025-01-02 11:00:00', 20, false, 'open', repeat('x', 100000),
 '{"channel":"web","voucher":{"code":"X.1"}}', '[]', '010203'),
(4, 12, '2025-01-05', '2025-01-05 12:00:00', 30, null, 'paid', 'it''s "quoted" \\ and; -- commented',
 null, null, null),
(5, 12, '2025-01-05', '2025-01-05 12:00:00', 0, false, 'returned', 'ünïcode ✓ 漢字',
 '{}', null, null),
(6, 12, null, null, null, null, null, null,
 null, null, null),
(7, null, '2025-01-10', '2025-01-10 00:00:00', -5.5, true, 'paid', 'first',
 '{"channel":"app"}', '["green","red"]', null),
(8, 13, '2025-01-10', '2025-01-10 23:59:59.5', 135.5, false, 'open', 'line one\nline two',
 '{"channel":"web","a.b":1}', null, null);

create table "shop"."customers" (
    "customer_id" number(38, 0) not null,
    "email" varchar,
    "phone" varchar,
    "password_hash" varchar(64),
    "country" varchar,
    "joined_on" date
);
insert into "shop"."customers" values
(10, 'anna@example.com', '+49 30 1234567', '5f4dcc3b5aa765d61d8327deb882cf99', 'DE', '2023-05-01'),
(11, 'ben@example.com', '+44 20 79460958', '7c6a180b36896a0a8c02787eeafb0e4c', 'GB', '2023-06-15'),
(12, 'chloe@example.org', '+33 1 23456789', '6cb75f652a9b52798eb6cf2201057c73', 'FR', '2024-02-29'),
(13, 'dora@example.net', null, '819b0643d6b89dc9b579fdfc9094f28e', 'DE', '2024-12-31'),
(14, null, '+49 40 7654321', '34cc93ece0ba9e3f6f235d4af979b16c', 'DE', null);

create table "shop"."readings" ("sensor" varchar, "reading" float);
insert into "shop"."readings"
select column1, column2::float from values
('a', '1.5'), ('a', '2.5'), ('a', 'inf'), ('b', '-inf'), ('b', 'nan'), ('b', null), ('b', '-0.0'), ('b', '0');

-- Snowflake has no years after 9999.
create table "shop"."deadlines" ("deadline_id" number(38, 0), "due_on" date);
insert into "shop"."deadlines" values (1, '2025-03-01'), (2, '9999-12-31');

create table "shop"."returns" ("return_id" number(38, 0), "order_id" number(38, 0), "reason" varchar);
create view "shop"."recent_orders" as select "order_id", "ordered_on" from "shop"."orders" where "ordered_on" >= '2025-01-05';
create table "shop"."select ""x"" ü" ("a.b" integer, "group" varchar);
insert into "shop"."select ""x"" ü" values (1, 'one'), (2, 'two');

create table "shop"."lkp_channel" ("code" varchar, "label" varchar);
insert into "shop"."lkp_channel" values ('web', 'Web shop'), ('store', 'Store'), ('app', 'App');
create table "shop"."lkp_status" ("code" varchar, "label" varchar);
insert into "shop"."lkp_status" values ('paid', 'Paid'), ('open', 'Open'), ('returned', 'Sent back');

create table "web"."visits_20250101" ("id" integer, "device" object, "hits" array);
insert into "web"."visits_20250101"
select column1, parse_json(column2)::object, parse_json(column3)::array from values
(1, '{"kind":"phone","screen.width":390}', '[{"page":{"title":"Home","sub.path":"/"},"at":10},{"page":{"title":"Cart","sub.path":"/cart"},"at":25}]'),
(2, '{"kind":"desktop","screen.width":1920}', '[]');
create table "web"."visits_20250102" ("id" integer, "device" object, "hits" array);
insert into "web"."visits_20250102"
select column1, parse_json(column2)::object, parse_json(column3)::array from values
(3, '{"kind":"phone","screen.width":null}', '[{"page":{"title":"Home","sub.path":"/"},"at":5}]'),
(4, null, null);
create table "web"."speed_2024_11" ("millis" integer);
insert into "web"."speed_2024_11" values (120), (80);
create table "web"."speed_2024_12" ("millis" integer);
insert into "web"."speed_2024_12" values (100);
create table "web"."speed_2025_01" ("millis" integer, "page" varchar);
insert into "web"."speed_2025_01" values (90, 'Home');
create table "web"."speed_2025_02" ("millis" integer, "page" varchar);
insert into "web"."speed_2025_02" values (70, 'Home'), (110, 'Cart');
create table "web"."events_9" ("payload" variant);
-- Documents longer than the sample's limit are only counted.
insert into "web"."events_9" select parse_json(column1) from values ('{"type":"click","x":1,"old":true}'), ('{"type":"long","body":"' || repeat('x', 20000) || '"}');
create table "web"."events_10" ("payload" variant);
insert into "web"."events_10"
select parse_json(column1) from values ('{"type":"view","x":2.5}'), ('[1,"two",null]'), ('"plain"'), ('null');
create table "web"."votes" ("votes" variant);
insert into "web"."votes" select parse_json(column1) from values ('{"by_user":{"ann@shop.example":1}}'), ('{"by_user":{"bo@shop.example":3,"cy@shop.example":null}}');
create table "web"."report_7" ("total" integer);
insert into "web"."report_7" values (7);

create table "scratch"."unwanted" ("id" integer);

-- Only here: unquoted names, which Snowflake stores in upper case.
create schema legacy;
create table legacy.invoices (invoice_id integer not null, total number(12, 2), "mixedCase" varchar);
comment on table legacy.invoices is 'From the old shop';
insert into legacy.invoices values (1, 9.99, 'a'), (2, null, 'b');
