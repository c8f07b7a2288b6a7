-- # Statements that people and language models write to get to know a warehouse: every one passes.
-- in: all
select * from orders limit 10
select * from shop.orders limit 5
select count(*) from orders
select count(*), count(amount), count(distinct customer_id) from orders
select distinct status from orders
select distinct status from orders order by status limit 20
select status, count(*) as n from orders group by status order by n desc limit 20
select status, count(*) as n from orders group by 1 order by 2 desc
select min(ordered_at), max(ordered_at) from orders
select min(amount), max(amount), avg(amount), sum(amount) from orders
select count(*) - count(amount) as missing from orders
select sum(case when amount is null then 1 else 0 end) as missing, count(*) as total from orders
select customer_id, count(*) from orders group by customer_id having count(*) > 1 order by 2 desc limit 10
select * from orders where status = 'paid' limit 5
select * from orders where amount > 10 and status in ('paid', 'open') order by amount desc limit 3
select * from orders where status like '%ai%' limit 5
select * from orders where lower(status) like '%paid%'
select * from orders where status is null
select upper(status), lower(status), length(status) from orders limit 5
select table_name from information_schema.tables
select table_schema, table_name, table_type from information_schema.tables order by table_schema, table_name
select column_name, data_type from information_schema.columns where table_name = 'orders' order by ordinal_position
select column_name, data_type, is_nullable from information_schema.columns where lower(table_name) = 'customers'
select table_name, column_name from information_schema.columns where column_name like '%id%'
select table_name, count(*) as columns from information_schema.columns group by table_name order by 2 desc
select o.order_id, c.name from orders o join customers c on c.customer_id = o.customer_id limit 10
select count(*) from orders o left join customers c on c.customer_id = o.customer_id where c.customer_id is null
select c.country, count(*) as n, sum(o.amount) as total from orders o join customers c on o.customer_id = c.customer_id group by c.country order by total desc
select p.category, count(distinct i.order_id) from order_items i join products p on p.sku = i.sku group by p.category
select i.sku, p.title, sum(i.quantity) from order_items i inner join products p on i.sku = p.sku group by i.sku, p.title order by 3 desc limit 10
select * from customers limit 5
select name, country from customers order by name
select country, count(*) from customers group by country
select count(*) from customers where email is not null
select count(email), count(*) from customers
select name from customers where email = 'nobody@example.com'
select count(*) from (select email from customers) s where s.email = 'nobody@example.com'
with c as (select email, country from customers) select country, count(*) from c where email = 'nobody@example.com' group by country
with recent as (select * from orders where ordered_at >= '2025-01-02') select count(*) from recent
with per_customer as (select customer_id, sum(amount) as total from orders group by customer_id) select c.name, p.total from per_customer p join customers c on c.customer_id = p.customer_id order by p.total desc limit 3
with a as (select customer_id from orders), b as (select customer_id from customers) select count(*) from a where customer_id not in (select customer_id from b)
select * from (select status, amount, row_number() over (partition by status order by amount desc) as place from orders) ranked where place = 1
select customer_id, amount, sum(amount) over (partition by customer_id order by ordered_at) as running from orders
select customer_id, lag(amount) over (partition by customer_id order by ordered_at) as previous from orders
select status, count(*) * 1.0 / sum(count(*)) over () as share from orders group by status
select extract(year from ordered_at) as year, extract(month from ordered_at) as month, count(*) from orders group by 1, 2 order by 1, 2
select cast(ordered_at as date) as day, count(*) from orders group by 1 order by 1
select 'orders' as name, count(*) as n from orders union all select 'customers', count(*) from customers union all select 'products', count(*) from products
select exists(select 1 from orders where status = 'paid') as is_there
select (select count(*) from orders) as orders, (select count(*) from customers) as customers
select coalesce(country, 'unknown') as country, count(*) from customers group by 1
select case when amount < 11 then 'low' when amount < 25 then 'mid' else 'high' end as bucket, count(*) from orders group by 1 order by 2 desc
select round(avg(amount), 2), round(stddev(amount), 2) from orders
select length(sku), count(*) from products group by 1 order by 1
select min(length(title)), max(length(title)) from products
select substr(sku, 1, 1) as prefix, count(*) from products group by 1
select replace(title, 'A', 'a'), trim(title), concat(sku, '-', title) from products
select count(*) from orders where ordered_at between '2025-01-01' and '2025-01-31'
select count(*) from orders where customer_id in (select customer_id from customers where country = 'DE')
select name from customers c where exists (select 1 from orders o where o.customer_id = c.customer_id and o.amount > 15)
select name from customers c where not exists (select 1 from orders o where o.customer_id = c.customer_id)
select a.customer_id, count(*) from orders a join orders b on a.customer_id = b.customer_id and a.order_id < b.order_id group by a.customer_id
select order_id, count(*) from order_items group by order_id having count(*) > 1
select nullif(status, 'open'), abs(amount - 100), greatest(amount, 1), least(amount, 1) from orders
select first_value(status) over (order by ordered_at), dense_rank() over (order by status) from orders
select current_date, current_timestamp
select 1
show tables
show columns from orders
describe orders
describe shop.orders
desc customers
show tables in schema shop
-- in: duckdb
summarize orders
summarize customers
summarize shop.orders
summarize select status, amount from orders
summarize select * from customers where country = 'DE'
select * from (summarize orders)
select column_name, column_type, min, max, null_percentage from (summarize orders) order by null_percentage desc
from (summarize products) select column_name, approx_unique
describe select * from orders
describe select o.*, c.name from orders o join customers c using (customer_id)
select * from (describe select 1 as x, 'a' as y)
select * from (describe orders)
select column_name from (describe orders) where column_type like '%INT%'
show all tables
select * from (show all tables)
select database, schema, name from (show all tables) where name like '%order%'
show orders
show databases
show schemas
pragma table_info('orders')
select * from pragma_table_info('orders')
select name, type from pragma_table_info('shop.customers')
select table_name from duckdb_tables() where schema_name = 'shop'
select table_name, column_name, data_type from duckdb_columns() where table_name = 'orders'
pivot orders on status using sum(amount)
pivot orders on status using count(*) group by customer_id
pivot orders on status in ('paid', 'open') using sum(amount) as total group by customer_id
pivot orders on status using count(*) group by customer_id order by customer_id desc limit 1
unpivot (select order_id, amount from orders) on amount order by order_id limit 2
select extract('hour' from timestamptz '2025-01-01 20:38:48')
pivot (select status, customer_id, amount from orders) on status using sum(amount)
select * from (pivot orders on status using count(*) group by customer_id)
with p as (pivot orders on status using count(*) group by customer_id) select * from p
from orders pivot (sum(amount) for status in ('paid', 'open') group by customer_id)
unpivot order_items on quantity, price into name measure value amount
select * from (unpivot order_items on quantity, price into name measure value amount) where amount > 1
select measure, avg(v) from (unpivot order_items on quantity, price into name measure value v) group by measure
from order_items unpivot (v for k in (quantity, price))
unpivot (select order_id, quantity, price from order_items) on columns(* exclude (order_id)) into name k value v
from orders
from orders limit 3
from orders select status, count(*) group by all
select * exclude (payload, tags) from orders
select * replace (upper(status) as status) from orders
select columns('.*_id') from orders
select count(columns(*)) from orders
select min(columns(* exclude (payload, tags))) from orders
select status, count(*) from orders group by all order by all
select * from orders using sample 2
select * from orders using sample 50 percent (bernoulli)
select * from orders tablesample reservoir(2)
select histogram(status) from orders
select approx_quantile(amount, 0.5), median(amount), mode(status), quantile_cont(amount, [0.25, 0.5, 0.75]) from orders
select approx_count_distinct(customer_id), entropy(status), arg_max(order_id, amount) from orders
select string_agg(distinct status, ', ') from orders
select list(status order by ordered_at), list_distinct(list(status)) from orders
select unnest(tags) as tag, count(*) from orders group by 1
select typeof(payload), typeof(tags), typeof(amount) from orders limit 1
select payload->>'$.channel' as channel, count(*) from orders group by 1
select json_keys(payload), json_extract_string(payload, '$.channel') from orders
select date_trunc('month', ordered_at) as month, count(*), sum(amount) from orders group by 1 order by 1
select strftime(ordered_at, '%Y-%m'), dayname(ordered_at), year(ordered_at) from orders
select date_diff('day', min(ordered_at), max(ordered_at)) from orders
select ordered_at::date as day, ordered_at + interval 1 day from orders
select * from orders where ordered_at >= date '2025-01-01' and status ilike 'PAID'
select * from orders qualify row_number() over (partition by customer_id order by ordered_at desc) = 1
select count(*) filter (where status = 'paid') as paid, count(*) filter (where status <> 'paid') as others from orders
select regexp_matches(title, '^A'), regexp_extract(sku, '([A-Z])', 1), regexp_replace(title, 'p', 'b') from products
select try_cast(title as integer) is null from products
select * from range(3) as r(i) cross join products
select status, amount from orders where amount is not distinct from null
values (1, 'a'), (2, 'b')
table orders
select struct_pack(a := order_id, b := status) from orders
select order_id, tags[1], len(tags), list_contains(tags, 'a') from orders
select levenshtein(title, 'Aple'), jaro_winkler_similarity(title, 'Aple') from products
select * from orders asof join order_items using (order_id)
select columns(lambda c : c like '%id') from orders
select * from orders positional join products
-- in: postgres
select * from orders fetch first 5 rows only
select table_schema, table_name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')
select distinct on (customer_id) * from orders order by customer_id, ordered_at desc
select ordered_at::date as day, count(*) from orders group by 1 order by 1
select date_trunc('month', ordered_at) as month, count(*), sum(amount) from orders group by 1 order by 1
select to_char(ordered_at, 'YYYY-MM'), extract(dow from ordered_at) from orders
select age(max(ordered_at), min(ordered_at)) from orders
select percentile_cont(0.5) within group (order by amount), mode() within group (order by status) from orders
select percentile_cont(array[0.25, 0.5, 0.75]) within group (order by amount) from orders
select string_agg(distinct status, ', ' order by status), array_agg(distinct status) from orders
select unnest(tags) as tag, count(*) from orders group by 1
select payload->>'channel' as channel, count(*) from orders group by 1
select jsonb_object_keys(payload) as key, count(*) from orders group by 1
select e.key, e.value from orders, jsonb_each_text(payload) as e
select jsonb_object_agg(status, amount) from orders
select jsonb_typeof(payload), jsonb_array_length(payload->'items') from orders where payload is not null
select pg_typeof(amount), pg_typeof(payload), pg_typeof(tags) from orders limit 1
select count(*) filter (where status = 'paid') as paid from orders
select * from orders tablesample system (50)
select * from orders tablesample bernoulli (50)
select width_bucket(amount, 0, 100, 4) as bucket, count(*) from orders group by 1
select * from orders where status ~* '^pa' or status similar to 'o%'
select regexp_replace(title, 'p', 'b', 'g'), split_part(title, 'p', 1), position('p' in title) from products
select md5(title), sha256(title::bytea), encode(sha256('a'::bytea), 'hex'), to_hex(255) from products
select * from generate_series(1, 3) as g(i)
select g.day::date, count(o.order_id) from generate_series('2025-01-01'::date, '2025-01-03'::date, interval '1 day') as g(day) left join orders o on o.ordered_at::date = g.day::date group by 1 order by 1
select coalesce(array_length(tags, 1), 0), 'a' = any(tags), cardinality(tags) from orders
select o.* from orders o cross join lateral (select count(*) as n from order_items i where i.order_id = o.order_id) as c where c.n > 1
select count(*) over w, sum(amount) over w from orders window w as (partition by customer_id order by ordered_at)
select status, day, count(*) from orders group by grouping sets ((status), (day))
select status, count(*) from orders group by cube (status)
table products
values (1, 'a'), (2, 'b')
select corr(order_id, amount), regr_slope(amount, order_id), stddev_samp(amount) from orders
select initcap(title), reverse(title), left(title, 2), right(title, 2), lpad(sku, 3, '0') from products
select (select name from customers c where c.customer_id = o.customer_id) from orders o
select row_to_json(o) from orders as o limit 1
with recursive n as (select 1 as i union all select i + 1 from n where i < 3) select * from n
select now() > max(ordered_at) from orders
select substring(title from 1 for 2), overlay(title placing 'x' from 1 for 1), trim(both 'A' from title) from products
-- in: snowflake
show tables
show views
show schemas
show columns in table orders
show terse tables like '%order%' in schema shop
show tables in database warehouse
describe table orders
desc table shop.customers
describe view orders
select * from orders sample (10)
select * from orders sample (10 rows)
select * from orders tablesample bernoulli (10)
select top 5 * from orders
select * exclude (payload) from orders
select * rename (status as state) from orders
select payload:channel::string as channel, count(*) from orders group by 1
select f.value:sku::string, count(*) from orders, lateral flatten(input => payload:items) f group by 1
select f.key, typeof(f.value) from orders, lateral flatten(input => payload) f
select typeof(payload), payload['channel'], get_path(payload, 'items[0].sku') from orders
select * from orders qualify row_number() over (partition by customer_id order by ordered_at desc) = 1
select date_trunc('month', ordered_at) as month, count(*) from orders group by 1 order by 1
select dateadd(day, -7, max(ordered_at)), datediff(day, min(ordered_at), max(ordered_at)) from orders
select to_char(ordered_at, 'YYYY-MM'), dayname(ordered_at), year(ordered_at), weekofyear(ordered_at) from orders
select approx_count_distinct(customer_id), approx_percentile(amount, 0.5), median(amount), mode(status) from orders
select percentile_cont(0.5) within group (order by amount) from orders
select listagg(distinct status, ', ') within group (order by status) from orders
select array_agg(distinct status), object_agg(status, amount) from orders
select count_if(status = 'paid'), iff(amount > 10, 'high', 'low') from orders group by 2
select decode(status, 'paid', 1, 'open', 0, -1), decode(status, 'paid', 1, 0), nvl(amount, 0), nvl2(amount, 1, 0), zeroifnull(amount) from orders
select status ilike 'PAID', regexp_like(status, 'p.*'), regexp_substr(status, '[a-z]+'), split_part(status, 'a', 1) from orders
select try_to_number(status), try_to_date(status), try_cast(status as integer) from orders
select * from orders pivot (sum(amount) for status in ('paid', 'open')) as p
select * from (select customer_id, status, amount from orders) pivot (sum(amount) for status in (any order by status))
select * from (select order_id, quantity, price from order_items) unpivot (v for k in (quantity, price))
select seq4() from table(generator(rowcount => 3))
select value from table(split_to_table('a,b', ','))
select status, count(*) from orders group by all
select status, day, grouping(status), count(*) from orders group by rollup (status, day)
select hash(status), md5(status), sha2(status, 256), bitand_agg(order_id), bitor_agg(order_id) from orders group by 1, 2, 3
select ratio_to_report(amount) over (partition by status), conditional_change_event(status) over (order by order_id) from orders
select column_name, data_type from information_schema.columns where table_schema = 'SHOP' and table_name = 'ORDERS'
select object_construct('a', order_id), array_size(tags), array_contains('a'::variant, tags) from orders
select min_by(order_id, amount), max_by(order_id, amount), any_value(status), skew(amount), kurtosis(amount) from orders
-- in: bigquery
select * from `shop.orders` limit 5
select * from `warehouse.shop.orders` limit 5
select * from `warehouse`.`shop`.`orders` limit 5
select * except (payload) from orders
select * replace (upper(status) as status) from orders
select * from orders tablesample system (10 percent)
select table_name from shop.INFORMATION_SCHEMA.TABLES
select column_name, data_type from shop.INFORMATION_SCHEMA.COLUMNS where table_name = 'orders'
select column_name, data_type from `warehouse.shop.INFORMATION_SCHEMA.COLUMNS` where table_name = 'orders'
select approx_top_count(status, 5), approx_quantiles(amount, 4), approx_count_distinct(customer_id) from orders
select countif(status = 'paid'), logical_or(amount > 10), any_value(status), safe_divide(sum(amount), count(*)) from orders
select string_agg(distinct status, ', ' order by status limit 3), array_agg(distinct status ignore nulls limit 5) from orders
select tag, count(*) from orders, unnest(tags) as tag group by tag
select tag, place from orders, unnest(tags) as tag with offset as place
select array_length(tags), tags[offset(0)], tags[safe_offset(5)] from orders
select json_value(payload, '$.channel'), json_query(payload, '$.items'), json_extract_scalar(payload, '$.channel') from orders
select json_value(item, '$.sku') from orders, unnest(json_query_array(payload, '$.items')) as item
select date_trunc(day, month) as month, count(*) from orders group by 1 order by 1
select timestamp_trunc(timestamp(ordered_at), hour), datetime_trunc(ordered_at, month), datetime(timestamp(ordered_at)) from orders
select format_date('%Y-%m', day), format_datetime('%Y', ordered_at), parse_date('%Y', '2025') from orders
select date_diff(max(day), min(day), day), date_add(max(day), interval 1 month), date_sub(max(day), interval 1 week) from orders
select extract(dayofweek from day), extract(isoweek from day), extract(date from ordered_at) from orders
select safe_cast(status as int64), cast(amount as string), cast(order_id as float64) from orders
select regexp_contains(status, r'^pa'), regexp_extract(status, r'(p)'), regexp_replace(status, r'a', 'b'), split(status, 'a') from orders
select status, row_number() over (partition by status order by day) as n from orders qualify n = 1
select * from orders qualify row_number() over (partition by customer_id order by ordered_at desc) = 1
select _table_suffix as day, count(*) from `shop.events_*` group by 1 order by 1
select event_name, count(*) from `shop.events_*` where _table_suffix between '20250101' and '20250102' group by 1
select count(*) from `shop.events_20250101`
select * from (select status, amount from orders) pivot(sum(amount) for status in ('paid', 'open'))
select * from (select customer_id, status, amount from orders) pivot(sum(amount) as total, count(*) as n for status in ('paid', 'open'))
select * from (select order_id, quantity, price from order_items) unpivot(v for k in (quantity, price))
select farm_fingerprint(status), to_hex(md5(status)), to_base64(sha256(status)) from orders
select if(amount > 10, 'high', 'low') as kind, ifnull(amount, 0), nullif(status, 'x') from orders
select struct(order_id as id, status as state) from orders
select generate_array(1, 3), generate_date_array(date '2025-01-01', date '2025-01-03')
select day from unnest(generate_date_array(date '2025-01-01', date '2025-01-03')) as day
select percentile_cont(amount, 0.5) over () from orders limit 1
select status, sum(amount) from orders group by rollup(status)
select to_json_string(o) from orders as o limit 1
select stddev(amount), corr(order_id, amount), bit_and(order_id), max_by(order_id, amount) from orders
-- in: duckdb postgres snowflake
select customer_id from orders intersect select customer_id from customers
select customer_id from customers except select customer_id from orders
select customer_id from orders union select customer_id from customers order by 1
select table_name, constraint_name, constraint_schema from information_schema.table_constraints order by 1
-- in: duckdb postgres
explain (format json) select count(*) from orders
select t.table_name, k.column_name, u.table_name as foreign_table from information_schema.table_constraints t join information_schema.key_column_usage k using (constraint_schema, constraint_name) join information_schema.constraint_column_usage u using (constraint_schema, constraint_name) where t.constraint_type = 'FOREIGN KEY'
select r.constraint_name, r.unique_constraint_name, r.delete_rule from information_schema.referential_constraints as r
select column_name, character_maximum_length, numeric_precision, numeric_scale from information_schema.columns where table_schema = 'shop' and table_name = 'orders'
select table_schema, table_name from information_schema.views where table_schema = 'shop'
select tablename from pg_catalog.pg_tables where schemaname = 'shop' order by 1
select viewname from pg_views where schemaname = 'shop'
select relname from pg_class where relkind = 'r' and relname = 'products'
select a.attname, t.typname, a.attnotnull from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid where c.relname = 'products' and a.attnum > 0 order by a.attnum
show timezone
show time zone
select current_setting('TimeZone')
select percentile_cont(0.9) within group (order by amount), percentile_disc(0.5) within group (order by amount) from orders
select name from customers where email = any (array['nobody@example.com', 'x']) or email is distinct from 'y'
-- in: duckdb
show
describe
show default_null_order
explain (format json) select status, count(*) from orders group by 1
select table_name, estimated_size, column_count from duckdb_tables() where schema_name = 'shop' order by 1
select t.table_name, t.estimated_size from duckdb_tables as t where not t.internal and t.schema_name = 'shop' order by all
select table_name, constraint_type, constraint_column_names from duckdb_constraints() where table_name = 'orders'
select view_name from duckdb_views() where not internal
select index_name, is_unique from duckdb_indexes()
select name from sqlite_master where type = 'table' and name like 'order%' order by 1
select relname, reltuples from pg_class where relkind = 'r' and relname = 'orders'
select #1, count(*) from orders group by #1
select status, amount from orders order by #2 desc
select o.status, #2 from orders o join order_items i using (order_id)
select * from orders using sample reservoir(2 rows) repeatable (42)
with recursive t(n) using key (n) as (select 1 union select n + 1 from t where n < 3) select * from t
select binom(5, 2), md5_number('a')
-- in: postgres
select c.relname, n.nspname from pg_class as c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = 'shop' and c.relkind = 'r' order by 1
show server_version
show datestyle
select current_setting('server_version_num')::int > 120000
explain verbose select * from orders
explain (verbose, costs off)\nselect * from orders
explain (costs off, verbose true) select * from orders where status = 'paid'
select relname, n_live_tup >= 0, last_analyze is null, seq_scan >= 0 from pg_stat_user_tables where schemaname = 'shop' order by n_live_tup desc, relname
select relname from pg_catalog.pg_stat_all_tables where schemaname = 'shop' order by 1
select relname, indexrelname, idx_scan from pg_stat_user_indexes
select relname, reltuples::bigint from pg_class where relkind = 'r' and relname = 'orders'
select a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a where a.attrelid = 'shop.products'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum
select conname, contype, conrelid::regclass, confrelid::regclass, conkey from pg_constraint where contype in ('p', 'f')
select indrelid::regclass, indkey, indisprimary from pg_index where indisunique limit 1
select indexname, tablename from pg_indexes where schemaname = 'shop'
select matviewname from pg_matviews
select extname, extversion from pg_extension order by 1
select o.order_id, t.tag, t.place from orders o cross join lateral unnest(o.tags) with ordinality as t(tag, place)
select j.channel from orders, jsonb_to_record(payload) as j(channel text)
select j.sku from orders, jsonb_to_recordset(payload->'items') as j(sku text)
select * from json_to_record('{"a": 1}') as x(a int)
select payload #- '{items}' from orders
select json_agg(o), jsonb_agg(o) from orders as o
select json_agg(c) from customers as c
select * from orders tablesample bernoulli (50) repeatable (1)
select jsonb_path_query_tz(payload, '$.items[*].sku') from orders
