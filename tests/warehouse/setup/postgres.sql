-- The warehouse of duckdb.sql in Postgres' SQL, and cases that only Postgres has.
create schema shop;
create schema web;
create schema scratch;

create table shop.orders (
    order_id bigint not null,
    customer_id bigint,
    ordered_on date,
    ordered_at timestamp,
    "Total (€)" decimal(10, 2),
    is_gift boolean,
    status text,
    note text,
    legacy_code text,
    details jsonb,
    tags text[],
    receipt bytea
);
comment on table shop.orders is 'One row per order';
comment on column shop.orders.ordered_on is 'Day of the customer''s order';
insert into shop.orders values
(1, 10, '2025-01-01', '2025-01-01 09:00:00', 10, true, 'paid', 'first', null,
 '{"channel":"web","items":[{"sku":"A-1","quantity":2},{"sku":"B-2","quantity":1}]}', array['red', 'blue'], '\x00FF'),
(2, 10, '2025-01-02', '2025-01-02 10:30:00', 20, false, 'paid', '', null,
 '{"channel":"store","items":[]}', array['red'], ''),
(3, 11, '2025-01-02', '2025-01-02 11:00:00', 20, false, 'open', repeat('x', 100000), null,
 '{"channel":"web","voucher":{"code":"X.1"}}', array[]::text[], '\x010203'),
(4, 12, '2025-01-05', '2025-01-05 12:00:00', 30, null, 'paid', 'it''s "quoted" \ and; -- commented', null,
 null, null, null),
(5, 12, '2025-01-05', '2025-01-05 12:00:00', 0, false, 'returned', 'ünïcode ✓ 漢字', null,
 '{}', null, null),
(6, 12, null, null, null, null, null, null, null,
 null, null, null),
(7, null, '2025-01-10', '2025-01-10 00:00:00', -5.5, true, 'paid', 'first', null,
 '{"channel":"app"}', array['green', 'red'], null),
(8, 13, '2025-01-10', '2025-01-10 23:59:59.5', 135.5, false, 'open', 'line one' || chr(10) || 'line two', null,
 '{"channel":"web","a.b":1}', null, null);

create table shop.customers (
    customer_id bigint not null,
    email text,
    phone text,
    password_hash text,
    country text,
    joined_on date
);
insert into shop.customers values
(10, 'anna@example.com', '+49 30 1234567', '5f4dcc3b5aa765d61d8327deb882cf99', 'DE', '2023-05-01'),
(11, 'ben@example.com', '+44 20 79460958', '7c6a180b36896a0a8c02787eeafb0e4c', 'GB', '2023-06-15'),
(12, 'chloe@example.org', '+33 1 23456789', '6cb75f652a9b52798eb6cf2201057c73', 'FR', '2024-02-29'),
(13, 'dora@example.net', null, '819b0643d6b89dc9b579fdfc9094f28e', 'DE', '2024-12-31'),
(14, null, '+49 40 7654321', '34cc93ece0ba9e3f6f235d4af979b16c', 'DE', null);

create table shop.readings (sensor text, reading double precision);
insert into shop.readings values
('a', 1.5), ('a', 2.5), ('a', 'inf'), ('b', '-inf'), ('b', 'nan'), ('b', null), ('b', '-0.0'), ('b', 0);

create table shop.deadlines (deadline_id bigint, due_on date);
insert into shop.deadlines values (1, '2025-03-01'), (2, '9999-12-31'), (3, '20000-01-01'), (4, 'infinity'), (5, '0044-03-15 BC');

create table shop.returns (return_id bigint, order_id bigint, reason text);
create view shop.recent_orders as select order_id, ordered_on from shop.orders where ordered_on >= '2025-01-05';
create table shop."select ""x"" ü" ("a.b" integer, "group" text);
insert into shop."select ""x"" ü" values (1, 'one'), (2, 'two');

create table shop.lkp_channel (code text, label text);
insert into shop.lkp_channel values ('web', 'Web shop'), ('store', 'Store'), ('app', 'App');
create table shop.lkp_status (code text, label text);
insert into shop.lkp_status values ('paid', 'Paid'), ('open', 'Open'), ('returned', 'Sent back');

create type web.device as (kind text, "screen.width" integer);
create type web.page as (title text, "sub.path" text);
create type web.hit as (page web.page, "at" bigint);
create table web.visits_20250101 (id integer, device web.device, hits web.hit[]);
insert into web.visits_20250101 values
(1, row('phone', 390), array[row(row('Home', '/'), 10), row(row('Cart', '/cart'), 25)]::web.hit[]),
(2, row('desktop', 1920), array[]::web.hit[]);
create table web.visits_20250102 (id integer, device web.device, hits web.hit[]);
insert into web.visits_20250102 values
(3, row('phone', null), array[row(row('Home', '/'), 5)]::web.hit[]),
(4, null, null);
create table web.speed_2024_11 (millis integer);
insert into web.speed_2024_11 values (120), (80);
create table web.speed_2024_12 (millis integer);
insert into web.speed_2024_12 values (100);
create table web.speed_2025_01 (millis integer, page text);
insert into web.speed_2025_01 values (90, 'Home');
create table web.speed_2025_02 (millis integer, page text);
insert into web.speed_2025_02 values (70, 'Home'), (110, 'Cart');
create table web.events_9 (payload jsonb);
-- Documents longer than the sample's limit are only counted.
insert into web.events_9 values ('{"type":"click","x":1,"old":true}'), (cast('{"type":"long","body":"' || repeat('x', 20000) || '"}' as jsonb));
create table web.events_10 (payload jsonb);
insert into web.events_10 values ('{"type":"view","x":2.5}'), ('[1,"two",null]'), ('"plain"'), ('null');
create table web.votes (votes jsonb);
insert into web.votes values ('{"by_user":{"ann@shop.example":1}}'), ('{"by_user":{"bo@shop.example":3,"cy@shop.example":null}}');
create table web.report_7 (total integer);
insert into web.report_7 values (7);

create table scratch.unwanted (id integer);

-- Only here: partitions (neither separate tables nor a family), a materialized view, a table without columns.
create schema ledger;
create domain ledger.amount as numeric(12, 2) not null;
create table ledger.bookings (booked_on date not null, amount ledger.amount) partition by range (booked_on);
comment on table ledger.bookings is 'Partitioned by year';
create table ledger.bookings_2024 partition of ledger.bookings for values from ('2024-01-01') to ('2025-01-01');
create table ledger.bookings_2025 partition of ledger.bookings for values from ('2025-01-01') to ('2026-01-01')
    partition by list (amount);
create table ledger.bookings_2025_rest partition of ledger.bookings_2025 default;
insert into ledger.bookings values ('2024-06-30', 1.25), ('2025-01-01', 2.5), ('2025-01-02', 3);
create materialized view ledger.yearly as
    select extract(year from booked_on)::integer as year, sum(amount) as amount from ledger.bookings group by 1;
create table ledger.nothing ();
insert into ledger.nothing default values;

-- An oid, which is no numeric type, and a table of an extension.
create table ledger.scans (file oid);
insert into ledger.scans values (16384), (16385);
create table ledger.of_an_extension (id integer);
alter extension plpgsql add table ledger.of_an_extension;
