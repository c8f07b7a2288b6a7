-- The warehouse of the project in shop/: 60 orders of 20 customers. Ids are texts of equal length.
create schema raw;
create table raw.customers (customer_id integer, email varchar, country varchar, joined_on date);
comment on table raw.customers is 'Whoever ordered once; "quoted", with: a colon';
comment on column raw.customers.country is 'Where they live, as two letters';
comment on column raw.customers.joined_on is '{{ env_var("HOME") }} is no template of ours';
insert into raw.customers
select range + 1, 'somebody' || range || '@example.org', ['DE', 'FR', 'IT'][range % 3 + 1], date '2024-01-01' + range::integer
from range(20);
create table raw.orders (order_id integer, customer_id integer, status varchar, priority integer, coupon varchar, amount decimal(10, 2), ordered_at timestamp);
comment on column raw.orders.status is 'How far it is: open, paid or sent';
insert into raw.orders
select
    range + 1, range % 20 + 1, ['open', 'paid', 'sent'][range % 3 + 1], range % 2 + 1,
    ['{{ 7 * 6 }}', 'SUMMER'][range % 2 + 1], (range * 37 % 100)::decimal(10, 2), timestamp '2025-01-01 08:00:00' + interval (range) hour
from range(60);
create table raw.reviews (review_id integer, order_id integer, stars integer, remark varchar);
insert into raw.reviews select range + 1, case when range % 5 > 0 then range % 60 + 1 end, range % 5 + 1, 'Remark ' || range from range(50);
