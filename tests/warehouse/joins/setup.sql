-- A shop whose keys are known. One column is declared, one tested by dbt, the others are to be inferred.
create schema shop;

create table shop.lkp_segment (code varchar(1), label varchar(20));
insert into shop.lkp_segment values ('B', 'Business'), ('C', 'Consumer'), ('P', 'Public'), ('S', 'Small business');

-- A look-alike: it holds every code of the segments too.
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

-- A quantity of 1 to 5 is found in every key.
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

-- Customers 111 to 210, twice each: ten of them are gone.
create table shop.reviews as
select number as review_id, 111 + number % 100 as customer_id, 1 + number % 5 as rating
from generate_series(1, 200) as numbers (number);

create table shop.logins as
select 'token ' || (1 + number % 200) as api_token, number % 2 as is_mobile from generate_series(1, 400) as numbers (number);
