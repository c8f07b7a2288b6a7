-- A small warehouse with each case that profiling treats separately, the same in all targets where they allow it. Few rows, so
-- that every measure can be computed by hand.
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
    status varchar,
    note varchar,
    legacy_code varchar,
    details json,
    tags varchar[],
    receipt blob
);
comment on table shop.orders is 'One row per order';
comment on column shop.orders.ordered_on is 'Day of the customer''s order';
insert into shop.orders values
(1, 10, '2025-01-01', '2025-01-01 09:00:00', 10, true, 'paid', 'first', null,
 '{"channel":"web","items":[{"sku":"A-1","quantity":2},{"sku":"B-2","quantity":1}]}', ['red', 'blue'], '\x00\xFF'),
(2, 10, '2025-01-02', '2025-01-02 10:30:00', 20, false, 'paid', '', null,
 '{"channel":"store","items":[]}', ['red'], ''),
(3, 11, '2025-01-02', '2025-01-02 11:00:00', 20, false, 'open', repeat('x', 100000), null,
 '{"channel":"web","voucher":{"code":"X.1"}}', [], '\x01\x02\x03'),
(4, 12, '2025-01-05', '2025-01-05 12:00:00', 30, null, 'paid', 'it''s "quoted" \ and; -- commented', null,
 null, null, null),
(5, 12, '2025-01-05', '2025-01-05 12:00:00', 0, false, 'returned', 'ünïcode ✓ 漢字', null,
 '{}', null, null),
(6, 12, null, null, null, null, null, null, null,
 null, null, null),
(7, null, '2025-01-10', '2025-01-10 00:00:00', -5.5, true, 'paid', 'first', null,
 '{"channel":"app"}', ['green', 'red'], null),
(8, 13, '2025-01-10', '2025-01-10 23:59:59.5', 135.5, false, 'open', 'line one' || chr(10) || 'line two', null,
 '{"channel":"web","a.b":1}', null, null);

create table shop.customers (
    customer_id bigint not null,
    email varchar,
    phone varchar,
    password_hash varchar,
    country varchar,
    joined_on date
);
insert into shop.customers values
(10, 'anna@example.com', '+49 30 1234567', '5f4dcc3b5aa765d61d8327deb882cf99', 'DE', '2023-05-01'),
(11, 'ben@example.com', '+44 20 79460958', '7c6a180b36896a0a8c02787eeafb0e4c', 'GB', '2023-06-15'),
(12, 'chloe@example.org', '+33 1 23456789', '6cb75f652a9b52798eb6cf2201057c73', 'FR', '2024-02-29'),
(13, 'dora@example.net', null, '819b0643d6b89dc9b579fdfc9094f28e', 'DE', '2024-12-31'),
(14, null, '+49 40 7654321', '34cc93ece0ba9e3f6f235d4af979b16c', 'DE', null);

-- Infinities, NaN, and two spellings of zero.
create table shop.readings (sensor varchar, reading double);
insert into shop.readings values
('a', 1.5), ('a', 2.5), ('a', 'inf'), ('b', '-inf'), ('b', 'nan'), ('b', null), ('b', '-0.0'), ('b', 0);

-- Dates outside Python's range, and the last one inside.
create table shop.deadlines (deadline_id bigint, due_on date);
insert into shop.deadlines values (1, '2025-03-01'), (2, '9999-12-31'), (3, '20000-01-01'), (4, 'infinity'), (5, '44-03-15 (BC)');

create table shop.returns (return_id bigint, order_id bigint, reason varchar);
create view shop.recent_orders as select order_id, ordered_on from shop.orders where ordered_on >= '2025-01-05';
create table shop."select ""x"" ü" ("a.b" integer, "group" varchar);
insert into shop."select ""x"" ü" values (1, 'one'), (2, 'two');

-- Look-alikes: the same columns, different entities.
create table shop.lkp_channel (code varchar, label varchar);
insert into shop.lkp_channel values ('web', 'Web shop'), ('store', 'Store'), ('app', 'App');
create table shop.lkp_status (code varchar, label varchar);
insert into shop.lkp_status values ('paid', 'Paid'), ('open', 'Open'), ('returned', 'Sent back');

-- A family by day, nested.
create table web.visits_20250101 (id integer, device struct(kind varchar, "screen.width" integer), hits struct(page struct(title varchar, "sub.path" varchar), "at" bigint)[]);
insert into web.visits_20250101 values
(1, {'kind': 'phone', 'screen.width': 390}, [{'page': {'title': 'Home', 'sub.path': '/'}, 'at': 10}, {'page': {'title': 'Cart', 'sub.path': '/cart'}, 'at': 25}]),
(2, {'kind': 'desktop', 'screen.width': 1920}, []);
create table web.visits_20250102 (id integer, device struct(kind varchar, "screen.width" integer), hits struct(page struct(title varchar, "sub.path" varchar), "at" bigint)[]);
insert into web.visits_20250102 values
(3, {'kind': 'phone', 'screen.width': null}, [{'page': {'title': 'Home', 'sub.path': '/'}, 'at': 5}]),
(4, null, null);
-- Columns that changed between years: two families of one name.
create table web.speed_2024_11 (millis integer);
insert into web.speed_2024_11 values (120), (80);
create table web.speed_2024_12 (millis integer);
insert into web.speed_2024_12 values (100);
create table web.speed_2025_01 (millis integer, page varchar);
insert into web.speed_2025_01 values (90, 'Home');
create table web.speed_2025_02 (millis integer, page varchar);
insert into web.speed_2025_02 values (70, 'Home'), (110, 'Cart');
-- Shards sort by number, not by letter.
create table web.events_9 (payload json);
-- Documents longer than the sample's limit are only counted.
insert into web.events_9 values ('{"type":"click","x":1,"old":true}'), (cast('{"type":"long","body":"' || repeat('x', 20000) || '"}' as json));
create table web.events_10 (payload json);
insert into web.events_10 values ('{"type":"view","x":2.5}'), ('[1,"two",null]'), ('"plain"'), ('null');
-- A number at the end of a single name makes no family.
create table web.votes (votes json);
insert into web.votes values ('{"by_user":{"ann@shop.example":1}}'), ('{"by_user":{"bo@shop.example":3,"cy@shop.example":null}}');
create table web.report_7 (total integer);
insert into web.report_7 values (7);

create table scratch.unwanted (id integer);
