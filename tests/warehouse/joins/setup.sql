-- A shop with known keys: one column is declared, one tested by dbt, and the others are inferred.
create schema shop;

create table shop.lkp_segment (code varchar(1), label varchar(20));
insert into shop.lkp_segment values ('B', 'Business'), ('C', 'Consumer'), ('P', 'Public'), ('S', 'Small business');

-- A look-alike that contains every segment code too.
create table shop.lkp_channel (code varchar(1), label varchar(20));
insert into shop.lkp_channel values ('B', 'Branch'), ('C', 'Call'), ('P', 'Partner'), ('S', 'Shop'), ('W', 'Web');

create table shop.customers as
select number as customer_id, substr('BCPS', cast(number % 4 as integer) + 1, 1) as segment_code, 'token ' || number as api_token
from generate_series(1, 200) as numbers (number);

create table shop.employees as
select number as employee_id, case when number > 1 then cast(1 + floor((number - 2) / 8.0) as integer) end as manager_id, 'Person ' || number as name
from generate_series(1, 40) as numbers (number);

create table shop.promotions as
select number as id, 'Promotion ' || number as title from generate_series(1, 12) as numbers (number);

create table shop.products (product_id integer primary key, title varchar(20));
insert into shop.products select number, 'Product ' || number from generate_series(1, 60) as numbers (number);

-- Quantities of 1 to 5, which every key contains.
create table shop.orders as
select
    1000 + number as order_id,
    1 + number * 7 % 200 as customer_id,
    substr('BCPSW', cast(number % 5 as integer) + 1, 1) as channel_code,
    1 + number % 40 as approved_by,
    case when number % 3 = 0 then 1 + number % 12 end as promotion_id,
    1 + number % 5 as quantity
from generate_series(1, 600) as numbers (number);

create table shop.order_lines (
    order_id integer, line_number integer, product_id integer, pieces integer,
    foreign key (product_id) references shop.products (product_id)
);
insert into shop.order_lines
select 1000 + orders.number, lines.number, 1 + (orders.number + lines.number) % 60, 1 + orders.number % 3
from generate_series(1, 600) as orders (number)
cross join generate_series(1, 3) as lines (number);

create table shop.returns as
select number as return_id, 1000 + number * 5 as order_id, 1 + number % 3 as line_number
from generate_series(1, 100) as numbers (number);

-- Customers 111 to 210, twice each; ten of them do not exist.
create table shop.reviews as
select number as review_id, 111 + number % 100 as customer_id, 1 + number % 5 as rating
from generate_series(1, 200) as numbers (number);

create table shop.logins as
select 'token ' || (1 + number % 200) as api_token, number % 2 as is_mobile from generate_series(1, 400) as numbers (number);

-- One row per customer, for some of them: the primary key is a foreign key.
create table shop.customer_details as
select number as customer_id, number % 2 as wants_news from generate_series(1, 150) as numbers (number);

-- Customer ids as text.
create table shop.imports as
select number as import_id, cast(1 + number * 3 % 200 as varchar(10)) as customer from generate_series(1, 300) as numbers (number);

create table shop.price_lists (region varchar(2), product_id integer, price integer, primary key (region, product_id));
insert into shop.price_lists
select substr('EUUSAP', 1 + 2 * cast(regions.number as integer), 2), products.number, 5 + products.number % 7
from generate_series(0, 2) as regions (number)
cross join generate_series(1, 60) as products (number);

create table shop.price_checks as
select number as check_id, substr('EUUSAP', 1 + 2 * cast(number % 3 as integer), 2) as region, 1 + number % 60 as product_id
from generate_series(1, 400) as numbers (number);

-- One shift per day and employee, which a dbt test declares; the first two columns are no key.
create table shop.shifts as
select 'late' as kind, 1 + days.number % 40 as employee_id, date '2025-01-01' + cast(days.number as integer) as day
from generate_series(1, 300) as days (number);

create table shop.clockings as
select number as clocking_id, 1 + number % 40 as employee_id, date '2025-01-01' + cast(number as integer) as day
from generate_series(20, 280) as numbers (number);

-- Uninformative names; forty numbers that match the few of a key with gaps only by reference.
create table shop.lockers as
select 1000 + 37 * number as id, 'Locker ' || number as label from generate_series(1, 60) as numbers (number);

create table shop.rentals as
select number as rental_no, 1000 + 37 * (1 + number % 40) as object_id from generate_series(1, 120) as numbers (number);

-- A column with a single value that another of the same name contains by chance.
create table shop.machines as
select number as machine_id, chr(64 + cast(number as integer)) as tier from generate_series(1, 9) as numbers (number);

create table shop.readings as
select number as reading_id, 'A' as tier from generate_series(1, 50) as numbers (number);

-- A reference named by a verb, and a house number, which every key without gaps contains.
create table shop.shippers as
select number as shipper_id, 'Shipper ' || number as company from generate_series(1, 3) as numbers (number);

create table shop.parcels as
select number as parcel_id, 1 + number % 3 as ship_via, 1 + number * 7 % 197 as street_no
from generate_series(1, 500) as numbers (number);

-- Rows that reference others of their table, with four kinds of names; and a sort order up to the last row of others.
create table shop.agents as
select number as agent_no, case when number > 1 then 1 + number % 2 * 3 end as reports_to from generate_series(1, 9) as numbers (number);

create table shop.topics as
select number as topic_id, case when number > 6 then 1 + number % 6 end as parent_topic, 1 + number % 14 as display_order
from generate_series(1, 30) as numbers (number);

create table shop.answers as
select number as answer_id, 1 + number % 30 as topic_id, case when number > 4 then cast(1 + floor(number / 3.0) as integer) end as reply_to
from generate_series(1, 250) as numbers (number);

create table shop.tasks as
select number as task_id, case when number > 10 then 1 + number * 11 % 89 end as depends_on
from generate_series(1, 100) as numbers (number);

-- Twenty postcodes and twenty last names, unique by chance: no keys of tables that share some.
create table shop.branches as
select number as branch_id, cast(10000 + 317 * number as varchar(5)) as postal_code, 'Family ' || number as last_name
from generate_series(1, 20) as numbers (number);

create table shop.dealers as
select
    number as dealer_id, cast(10000 + 317 * (1 + number % 12) as varchar(5)) as postal_code, 'Family ' || (1 + number % 12) as last_name
from generate_series(1, 36) as numbers (number);

-- Two names of one row, one from a later catalogue; and a flag whose only value is among codes.
create table shop.players as
select
    number as debut_order, 'player' || lpad(cast(number as varchar(4)), 4, '0') as player_id,
    case when number % 20 > 0 then 'player' || lpad(cast(number as varchar(4)), 4, '0') end as archive_ref
from generate_series(1, 200) as numbers (number);

create table shop.concepts as
select
    number as concept_id, case when number = 9 then 'S' else 'C' || number end as concept_code,
    case when number % 3 = 0 then 'S' end as standard_concept
from generate_series(1, 90) as numbers (number);

-- Positions among rows, figures about keys, and a count of what they name.
create table shop.stages as
select 'stage ' || number as stage_name, number as stage_order, number as list_index
from generate_series(1, 12) as numbers (number);

create table shop.regattas as
select
    number as regatta_id, 1 + number % 12 as stage_order, 1 + number % 12 as list_index,
    1 + number % 3 as maximum_shipper, 1 + number % 3 as shippers, 1 + number % 2 as base_shipper
from generate_series(1, 60) as numbers (number);

-- A view that a row can break.
create table shop.cards as select cast(g as varchar) as card from generate_series(1, 150) as t(g);
create view shop.loyal as select cast(card as integer) as customer_id from shop.cards;
