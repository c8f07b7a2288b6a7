-- The warehouse of duckdb.sql in BigQuery's SQL: no dots, quotes or brackets in names, arrays never null.
create schema shop;
create schema web;
create schema scratch;

create table shop.orders (
    order_id int64 not null,
    customer_id int64,
    ordered_on date options (description = 'Day of the customer\'s order'),
    ordered_at datetime,
    `Total + VAT` numeric,
    is_gift bool,
    status string,
    note string,
    legacy_code string,
    details json,
    tags array<string>,
    receipt bytes
) options (description = 'One row per order');
insert into shop.orders
(order_id, customer_id, ordered_on, ordered_at, `Total + VAT`, is_gift, status, note, details, tags, receipt) values
(1, 10, date '2025-01-01', datetime '2025-01-01 09:00:00', 10, true, 'paid', 'first',
 parse_json('{"channel":"web","items":[{"sku":"A-1","quantity":2},{"sku":"B-2","quantity":1}]}'), ['red', 'blue'], from_hex('00ff')),
(2, 10, date '2025-01-02', datetime '2025-01-02 10:30:00', 20, false, 'paid', '',
 parse_json('{"channel":"store","items":[]}'), ['red'], from_hex('')),
(3, 11, date '2025-01-02', datetime '2025-01-02 11:00:00', 20, false, 'open', repeat('x', 100000),
 parse_json('{"channel":"web","voucher":{"code":"X.1"}}'), [], from_hex('010203')),
(4, 12, date '2025-01-05', datetime '2025-01-05 12:00:00', 30, null, 'paid', 'it\'s "quoted" \\ and; -- commented',
 null, [], null),
(5, 12, date '2025-01-05', datetime '2025-01-05 12:00:00', 0, false, 'returned', 'ünïcode ✓ 漢字',
 parse_json('{}'), [], null),
(6, 12, null, null, null, null, null, null,
 null, [], null),
(7, null, date '2025-01-10', datetime '2025-01-10 00:00:00', -5.5, true, 'paid', 'first',
 parse_json('{"channel":"app"}'), ['green', 'red'], null),
(8, 13, date '2025-01-10', datetime '2025-01-10 23:59:59.5', 135.5, false, 'open', 'line one\nline two',
 parse_json('{"channel":"web","a.b":1}'), [], null);

create table shop.customers (
    customer_id int64 not null,
    email string,
    phone string,
    password_hash string,
    country string,
    joined_on date
);
insert into shop.customers values
(10, 'anna@example.com', '+49 30 1234567', '5f4dcc3b5aa765d61d8327deb882cf99', 'DE', date '2023-05-01'),
(11, 'ben@example.com', '+44 20 79460958', '7c6a180b36896a0a8c02787eeafb0e4c', 'GB', date '2023-06-15'),
(12, 'chloe@example.org', '+33 1 23456789', '6cb75f652a9b52798eb6cf2201057c73', 'FR', date '2024-02-29'),
(13, 'dora@example.net', null, '819b0643d6b89dc9b579fdfc9094f28e', 'DE', date '2024-12-31'),
(14, null, '+49 40 7654321', '34cc93ece0ba9e3f6f235d4af979b16c', 'DE', null);

create table shop.readings (sensor string, reading float64);
insert into shop.readings values
('a', 1.5), ('a', 2.5), ('a', cast('inf' as float64)), ('b', cast('-inf' as float64)), ('b', cast('nan' as float64)), ('b', null),
('b', cast('-0.0' as float64)), ('b', 0);

-- BigQuery has no years after 9999 or before 1.
create table shop.deadlines (deadline_id int64, due_on date);
insert into shop.deadlines values (1, date '2025-03-01'), (2, date '9999-12-31'), (3, date '0001-01-01');

create table shop.returns (return_id int64, order_id int64, reason string);
create view shop.recent_orders as select order_id, ordered_on from shop.orders where ordered_on >= date '2025-01-05';
create table shop.`select-x` (`a b` int64, `group` string);
insert into shop.`select-x` values (1, 'one'), (2, 'two');

create table shop.lkp_channel (code string, label string);
insert into shop.lkp_channel values ('web', 'Web shop'), ('store', 'Store'), ('app', 'App');
create table shop.lkp_status (code string, label string);
insert into shop.lkp_status values ('paid', 'Paid'), ('open', 'Open'), ('returned', 'Sent back');

create table web.visits_20250101 (id int64, device struct<kind string, screen_width int64>, hits array<struct<page struct<title string, sub_path string>, `at` int64>>);
insert into web.visits_20250101 values
(1, struct('phone' as kind, 390 as screen_width), [struct(struct('Home' as title, '/' as sub_path) as page, 10 as `at`), struct(struct('Cart' as title, '/cart' as sub_path) as page, 25 as `at`)]),
(2, struct('desktop' as kind, 1920 as screen_width), []);
create table web.visits_20250102 (id int64, device struct<kind string, screen_width int64>, hits array<struct<page struct<title string, sub_path string>, `at` int64>>);
insert into web.visits_20250102 values
(3, struct('phone' as kind, null as screen_width), [struct(struct('Home' as title, '/' as sub_path) as page, 5 as `at`)]),
(4, null, []);
create table web.speed_2024_11 (millis int64);
insert into web.speed_2024_11 values (120), (80);
create table web.speed_2024_12 (millis int64);
insert into web.speed_2024_12 values (100);
create table web.speed_2025_01 (millis int64, page string);
insert into web.speed_2025_01 values (90, 'Home');
create table web.speed_2025_02 (millis int64, page string);
insert into web.speed_2025_02 values (70, 'Home'), (110, 'Cart');
create table web.events_9 (payload json);
-- Documents longer than the sample's limit are only counted.
insert into web.events_9 values (parse_json('{"type":"click","x":1,"old":true}')), (parse_json(concat('{"type":"long","body":"', repeat('x', 20000), '"}')));
create table web.events_10 (payload json);
insert into web.events_10 values
(parse_json('{"type":"view","x":2.5}')), (parse_json('[1,"two",null]')), (parse_json('"plain"')), (parse_json('null'));
create table web.votes (votes json);
insert into web.votes values (parse_json('{"by_user":{"ann@shop.example":1}}')), (parse_json('{"by_user":{"bo@shop.example":3,"cy@shop.example":null}}'));
create table web.report_7 (total int64);
insert into web.report_7 values (7);

create table scratch.unwanted (id int64);

-- Only here: case-sensitive names, equal field names at several depths, a partition, and other types.
create schema Legacy;
create table Legacy.Invoices (
    Invoice_ID int64 not null,
    issued_at timestamp,
    lines array<struct<id int64, product struct<id int64, prices array<struct<id int64, amount numeric>>>, note string>>,
    id int64,
    opening time
) partition by date(issued_at) options (description = 'The "old" shop');
insert into Legacy.Invoices values
(1, timestamp '2025-01-01 10:00:00+00', [struct(1 as id, struct(7 as id, [struct(1 as id, 9.99 as amount)] as prices) as product, 'x' as note)], 1, time '09:30:00'),
(2, timestamp '2025-01-02 23:00:00+00', [], null, null);
