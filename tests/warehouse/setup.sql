-- A small warehouse with one of each thing that the inventory has to treat.
create schema shop;
create schema web;
create schema scratch;

create table shop.orders (order_id bigint not null, ordered_on date, "Total (€)" decimal(10, 2));
comment on table shop.orders is 'One row per order';
comment on column shop.orders.ordered_on is 'Day of the customer''s order';
create view shop.recent_orders as select order_id from shop.orders;
create table shop."select ""x"" ü" ("a.b" integer, "group" varchar);

-- Look-alikes: the same columns, different things.
create table shop.lkp_channel (code varchar, label varchar);
create table shop.lkp_status (code varchar, label varchar);

-- A family by day, nested.
create table web.visits_20250101 (id integer, hits struct(page struct(title varchar, "sub.path" varchar), "at" bigint)[]);
create table web.visits_20250102 (id integer, hits struct(page struct(title varchar, "sub.path" varchar), "at" bigint)[]);
-- The columns changed between the years: two families of one stem.
create table web.speed_2024_11 (millis integer);
create table web.speed_2024_12 (millis integer);
create table web.speed_2025_01 (millis integer, page varchar);
create table web.speed_2025_02 (millis integer, page varchar);
-- Shards sort by number, not by letter.
create table web.events_9 (payload json);
create table web.events_10 (payload json);
-- A number at the end alone makes no family.
create table web.report_7 (total integer);

create table scratch.unwanted (id integer);
