-- # Statements that nobody may run: each is refused, or tells the same whatever is hidden and masked.
-- in: all
insert into orders values (1)
update customers set name = 'x'
delete from customers
truncate table orders
drop table orders
create table x as select * from customers
create or replace view v as select password_hash from customers
alter table orders add column x int
grant select on orders to public
select 1; drop table orders
select 1; select password_hash from customers
select 1 /* ; */ ; delete from orders
with x as (delete from orders returning *) select * from x
set x = 1
call p()
begin
commit
select password_hash from customers
select c.password_hash from customers c
select * from customers where password_hash like 'S%'
select count(*) from customers where password_hash > 'A'
select name from customers order by password_hash
select max(password_hash) from customers
select count(distinct password_hash) from customers
select (select password_hash from customers limit 1)
with c as (select password_hash as p from customers) select p from c
select email from customers where email like 'a%'
select max(email) from customers
select substr(email, 1, 1) from customers
select email || '' from customers
select cast(email as integer) from customers
select cast(password_hash as integer) from customers
select 1 / (case when password_hash like 'S%' then 0 else 1 end) from customers
select count(*) from customers a join customers b on a.email > b.email
select length(email) from customers
select * from secrets
select * from other.secrets
select * from shop.secrets
select * from information_schema.routines
select view_definition from information_schema.views
select column_default from information_schema.columns
select name from customers where email = 'a' or email > 'b'
select name from customers where ascii(email) > 97
select name from customers where email between 'a' and 'b'
select row_number() over (order by email), name from customers
select name from customers order by email
explain select * from customers
explain analyze select password_hash from customers
show variables
show grants
describe secrets
summarize secrets
show create table customers
use other
execute x
prepare x as select 1
deallocate x
lock table orders
vacuum
analyze orders
select * from orders for update
select * into x from orders
merge into orders using products on true when matched then delete
select password_hash from customers
select pаssword_hash from customers
select "password_hash" from customers
select "PASSWORD_HASH" from customers
select customers."password_hash" from customers
select password_hash/**/from customers
select/**/password_hash/**/from/**/customers
select password_hash -- x\nfrom customers
select '; drop table orders; --' ; drop table orders
select 1 union all select password_hash from customers
select name from customers where exists (select 1 from customers c where c.password_hash = 'x')
select * from customers c join customers d using (password_hash)
select * from customers natural join secrets
select ? from customers
select $1 from customers
select :x from customers
select {{ x }} from customers
-- in: duckdb
attach '/x.duckdb'
detach x
copy customers to '/tmp/x.csv'
copy orders from '/tmp/x.csv'
export database '/tmp/x'
import database '/tmp/x'
install httpfs
load httpfs
pragma database_list
pragma enable_profiling
pragma table_info('secrets')
set memory_limit='1GB'
reset all
checkpoint
select * from 'x.csv'
select * from '/etc/passwd'
select * from "x.parquet"
from 'https://example.com/x.csv'
select * from duckdb_settings
from duckdb_secrets()
create macro m() as 1
create secret s (type s3)
describe 'x.csv'
summarize 'x.csv'
summarize read_csv('x.csv')
pivot customers on password_hash using count(*)
pivot customers on email using count(*)
unpivot customers on email into name k value v
unpivot customers on columns(*) into name k value v
pivot secrets on x using count(*)
unpivot customers on password_hash into name k value v
select columns('password.*') from customers
select columns(c -> true) || '' from customers
select c::varchar like '%ada%' from customers c
select hash(c) from customers c
select c.* from customers c where c.email ilike 'a%'
select count(*) from (summarize secrets)
describe select password_hash from customers
summarize select password_hash from customers
show tables from '/etc'
pragma show_tables; drop table orders
summarize orders; drop table orders
select struct_extract(c, 'password_hash') from customers c
select unnest(c) from customers c where email > 'a'
select try(cast(email as int)) from customers
select * from customers where email = any(select email from customers where email > 'a')
update extensions
use x
-- in: postgres
do $$ begin delete from orders; end $$
copy customers to '/tmp/x'
copy customers to program 'cat'
copy (select 1) to stdout
listen x
notify x
set role postgres
reset all
show all
show search_path
show data_directory
show config_file
select * from pg_shadow
select * from pg_authid
select rolpassword from pg_catalog.pg_authid
select * from pg_stats
select most_common_vals from pg_catalog.pg_stats
select * from pg_stat_activity
select * from pg_settings
select c.trap from customers c
select customers.steal from customers
select (c).steal from customers c
select name::regclass from customers
select 'shop.secrets'::regclass
select xmlparse(document 'x')
select * from customers c, lateral pg_read_file(c.name)
select * from rows from (pg_ls_dir('/'))
select email::int from customers
select ('a' || password_hash)::int from customers
select array(select password_hash from customers)
select string_agg(email, ',') from customers
select json_agg(c.email) from customers c
select to_json(c)::text like '%ada%' from customers c
select c::text from customers c
select * from customers tablesample steal(1)
select email ~ '^a' from customers
select email collate "C" > 'a' from customers
create extension dblink
load 'x'
reindex table orders
cluster orders
select U&"p\0061ssword_hash" from customers
select E'\'; drop table orders; --'; drop table orders
fetch all from c
declare c cursor for select 1
security label on table orders is 'x'
select * from only secrets
table secrets
-- in: snowflake
show tables ->> delete from orders
show parameters
show users
show grants to role x
describe user x
describe stage x
list @x
put file:///x @y
get @y file:///x
copy into @x from customers
copy into orders from @x
select * from @x
select $1 from @x/y.csv
select * from table(result_scan('x'))
select * from identifier('secrets')
select * from table('secrets')
select $x
create stage x
execute immediate 'drop table orders'
begin delete from orders; end
select * from snowflake.account_usage.users
select * from orders at (statement => 'x')
select email:x from customers
select object_construct(*) from customers
select email ilike any ('a%') from customers
unset x
alter session set x = 1
undrop table orders
select * from customers changes (information => default) at (offset => -1)
select metadata$filename from orders
-- in: bigquery
declare x int64
set x = 1
execute immediate 'select 1'
export data options(uri='gs://x') as select * from customers
load data into orders from files(uris=['gs://x'])
create temp function f() as (1); select f()
create model m as select 1
select * from `other.secrets`
select * from `shop.*`
select * from `shop.event*`
select * from `region-us`.INFORMATION_SCHEMA.JOBS
select * from shop.INFORMATION_SCHEMA.TABLE_OPTIONS
select ddl from shop.INFORMATION_SCHEMA.TABLES
select @@project_id
select @x
select token from `shop.events_*`
select email from customers where contains_substr(email, 'a')
select _file_name from orders
select * from orders for system_time as of timestamp '2020-01-01'
select to_json_string(struct(email)) from customers
assert true
begin transaction
raise using message = 'x'
select * from ml.predict(model m, table orders)
from customers |> select password_hash
-- in: duckdb
select read_csv('/etc/passwd') from customers limit 1
select * from read_csv('/etc/passwd')
select name from customers where read_csv('/etc/passwd') is not null
select (select read_csv('/etc/passwd')) from orders
with a as (select read_csv('/etc/passwd') as x) select * from a
select count(*) from customers group by read_csv('/etc/passwd')
select name from customers order by read_csv('/etc/passwd')
select case when read_csv('/etc/passwd') is null then 1 end from customers
select read_text('/etc/passwd') from customers limit 1
select * from read_text('/etc/passwd')
select name from customers where read_text('/etc/passwd') is not null
select (select read_text('/etc/passwd')) from orders
with a as (select read_text('/etc/passwd') as x) select * from a
select count(*) from customers group by read_text('/etc/passwd')
select name from customers order by read_text('/etc/passwd')
select case when read_text('/etc/passwd') is null then 1 end from customers
select read_blob('/etc/passwd') from customers limit 1
select * from read_blob('/etc/passwd')
select name from customers where read_blob('/etc/passwd') is not null
select (select read_blob('/etc/passwd')) from orders
with a as (select read_blob('/etc/passwd') as x) select * from a
select count(*) from customers group by read_blob('/etc/passwd')
select name from customers order by read_blob('/etc/passwd')
select case when read_blob('/etc/passwd') is null then 1 end from customers
select read_parquet('x.parquet') from customers limit 1
select * from read_parquet('x.parquet')
select name from customers where read_parquet('x.parquet') is not null
select (select read_parquet('x.parquet')) from orders
with a as (select read_parquet('x.parquet') as x) select * from a
select count(*) from customers group by read_parquet('x.parquet')
select name from customers order by read_parquet('x.parquet')
select case when read_parquet('x.parquet') is null then 1 end from customers
select read_json('x.json') from customers limit 1
select * from read_json('x.json')
select name from customers where read_json('x.json') is not null
select (select read_json('x.json')) from orders
with a as (select read_json('x.json') as x) select * from a
select count(*) from customers group by read_json('x.json')
select name from customers order by read_json('x.json')
select case when read_json('x.json') is null then 1 end from customers
select glob('/*') from customers limit 1
select * from glob('/*')
select name from customers where glob('/*') is not null
select (select glob('/*')) from orders
with a as (select glob('/*') as x) select * from a
select count(*) from customers group by glob('/*')
select name from customers order by glob('/*')
select case when glob('/*') is null then 1 end from customers
select sniff_csv('x.csv') from customers limit 1
select * from sniff_csv('x.csv')
select name from customers where sniff_csv('x.csv') is not null
select (select sniff_csv('x.csv')) from orders
with a as (select sniff_csv('x.csv') as x) select * from a
select count(*) from customers group by sniff_csv('x.csv')
select name from customers order by sniff_csv('x.csv')
select case when sniff_csv('x.csv') is null then 1 end from customers
select getenv('HOME') from customers limit 1
select * from getenv('HOME')
select name from customers where getenv('HOME') is not null
select (select getenv('HOME')) from orders
with a as (select getenv('HOME') as x) select * from a
select count(*) from customers group by getenv('HOME')
select name from customers order by getenv('HOME')
select case when getenv('HOME') is null then 1 end from customers
select current_setting('search_path') from customers limit 1
select * from current_setting('search_path')
select name from customers where current_setting('search_path') is not null
select (select current_setting('search_path')) from orders
with a as (select current_setting('search_path') as x) select * from a
select count(*) from customers group by current_setting('search_path')
select name from customers order by current_setting('search_path')
select case when current_setting('search_path') is null then 1 end from customers
select query('select 1') from customers limit 1
select * from query('select 1')
select name from customers where query('select 1') is not null
select (select query('select 1')) from orders
with a as (select query('select 1') as x) select * from a
select count(*) from customers group by query('select 1')
select name from customers order by query('select 1')
select case when query('select 1') is null then 1 end from customers
select query_table('secrets') from customers limit 1
select * from query_table('secrets')
select name from customers where query_table('secrets') is not null
select (select query_table('secrets')) from orders
with a as (select query_table('secrets') as x) select * from a
select count(*) from customers group by query_table('secrets')
select name from customers order by query_table('secrets')
select case when query_table('secrets') is null then 1 end from customers
select duckdb_settings() from customers limit 1
select * from duckdb_settings()
select name from customers where duckdb_settings() is not null
select (select duckdb_settings()) from orders
with a as (select duckdb_settings() as x) select * from a
select count(*) from customers group by duckdb_settings()
select name from customers order by duckdb_settings()
select case when duckdb_settings() is null then 1 end from customers
select duckdb_secrets() from customers limit 1
select * from duckdb_secrets()
select name from customers where duckdb_secrets() is not null
select (select duckdb_secrets()) from orders
with a as (select duckdb_secrets() as x) select * from a
select count(*) from customers group by duckdb_secrets()
select name from customers order by duckdb_secrets()
select case when duckdb_secrets() is null then 1 end from customers
select duckdb_functions() from customers limit 1
select * from duckdb_functions()
select name from customers where duckdb_functions() is not null
select (select duckdb_functions()) from orders
with a as (select duckdb_functions() as x) select * from a
select count(*) from customers group by duckdb_functions()
select name from customers order by duckdb_functions()
select case when duckdb_functions() is null then 1 end from customers
select duckdb_views() from customers limit 1
select name from customers where duckdb_views() is not null
select (select duckdb_views()) from orders
with a as (select duckdb_views() as x) select * from a
select count(*) from customers group by duckdb_views()
select name from customers order by duckdb_views()
select case when duckdb_views() is null then 1 end from customers
select duckdb_constraints() from customers limit 1
select name from customers where duckdb_constraints() is not null
select (select duckdb_constraints()) from orders
with a as (select duckdb_constraints() as x) select * from a
select count(*) from customers group by duckdb_constraints()
select name from customers order by duckdb_constraints()
select case when duckdb_constraints() is null then 1 end from customers
select pragma_storage_info('customers') from customers limit 1
select * from pragma_storage_info('customers')
select name from customers where pragma_storage_info('customers') is not null
select (select pragma_storage_info('customers')) from orders
with a as (select pragma_storage_info('customers') as x) select * from a
select count(*) from customers group by pragma_storage_info('customers')
select name from customers order by pragma_storage_info('customers')
select case when pragma_storage_info('customers') is null then 1 end from customers
select pragma_database_size() from customers limit 1
select * from pragma_database_size()
select name from customers where pragma_database_size() is not null
select (select pragma_database_size()) from orders
with a as (select pragma_database_size() as x) select * from a
select count(*) from customers group by pragma_database_size()
select name from customers order by pragma_database_size()
select case when pragma_database_size() is null then 1 end from customers
select sqlite_scan('x','y') from customers limit 1
select * from sqlite_scan('x','y')
select name from customers where sqlite_scan('x','y') is not null
select (select sqlite_scan('x','y')) from orders
with a as (select sqlite_scan('x','y') as x) select * from a
select count(*) from customers group by sqlite_scan('x','y')
select name from customers order by sqlite_scan('x','y')
select case when sqlite_scan('x','y') is null then 1 end from customers
select postgres_scan('x','y','z') from customers limit 1
select * from postgres_scan('x','y','z')
select name from customers where postgres_scan('x','y','z') is not null
select (select postgres_scan('x','y','z')) from orders
with a as (select postgres_scan('x','y','z') as x) select * from a
select count(*) from customers group by postgres_scan('x','y','z')
select name from customers order by postgres_scan('x','y','z')
select case when postgres_scan('x','y','z') is null then 1 end from customers
select iceberg_scan('x') from customers limit 1
select * from iceberg_scan('x')
select name from customers where iceberg_scan('x') is not null
select (select iceberg_scan('x')) from orders
with a as (select iceberg_scan('x') as x) select * from a
select count(*) from customers group by iceberg_scan('x')
select name from customers order by iceberg_scan('x')
select case when iceberg_scan('x') is null then 1 end from customers
select nextval('s') from customers limit 1
select * from nextval('s')
select name from customers where nextval('s') is not null
select (select nextval('s')) from orders
with a as (select nextval('s') as x) select * from a
select count(*) from customers group by nextval('s')
select name from customers order by nextval('s')
select case when nextval('s') is null then 1 end from customers
select steal(name) from customers limit 1
select * from steal(name)
select name from customers where steal(name) is not null
select (select steal(name)) from orders
with a as (select steal(name) as x) select * from a
select count(*) from customers group by steal(name)
select name from customers order by steal(name)
select case when steal(name) is null then 1 end from customers
select "steal"(name) from customers limit 1
select * from "steal"(name)
select name from customers where "steal"(name) is not null
select (select "steal"(name)) from orders
with a as (select "steal"(name) as x) select * from a
select count(*) from customers group by "steal"(name)
select name from customers order by "steal"(name)
select case when "steal"(name) is null then 1 end from customers
select object(name) from customers limit 1
select * from object(name)
select name from customers where object(name) is not null
select (select object(name)) from orders
with a as (select object(name) as x) select * from a
select count(*) from customers group by object(name)
select name from customers order by object(name)
select case when object(name) is null then 1 end from customers
select sample(name) from customers limit 1
select * from sample(name)
select name from customers where sample(name) is not null
select (select sample(name)) from orders
with a as (select sample(name) as x) select * from a
select count(*) from customers group by sample(name)
select name from customers order by sample(name)
select case when sample(name) is null then 1 end from customers
select struct(name) from customers limit 1
select * from struct(name)
select name from customers where struct(name) is not null
select (select struct(name)) from orders
with a as (select struct(name) as x) select * from a
select count(*) from customers group by struct(name)
select name from customers order by struct(name)
select case when struct(name) is null then 1 end from customers
select system(name) from customers limit 1
select * from system(name)
select name from customers where system(name) is not null
select (select system(name)) from orders
with a as (select system(name) as x) select * from a
select count(*) from customers group by system(name)
select name from customers order by system(name)
select case when system(name) is null then 1 end from customers
select which_secret('a','b') from customers limit 1
select * from which_secret('a','b')
select name from customers where which_secret('a','b') is not null
select (select which_secret('a','b')) from orders
with a as (select which_secret('a','b') as x) select * from a
select count(*) from customers group by which_secret('a','b')
select name from customers order by which_secret('a','b')
select case when which_secret('a','b') is null then 1 end from customers
select json_execute_serialized_sql('x') from customers limit 1
select * from json_execute_serialized_sql('x')
select name from customers where json_execute_serialized_sql('x') is not null
select (select json_execute_serialized_sql('x')) from orders
with a as (select json_execute_serialized_sql('x') as x) select * from a
select count(*) from customers group by json_execute_serialized_sql('x')
select name from customers order by json_execute_serialized_sql('x')
select case when json_execute_serialized_sql('x') is null then 1 end from customers
select getvariable('x') from customers limit 1
select * from getvariable('x')
select name from customers where getvariable('x') is not null
select (select getvariable('x')) from orders
with a as (select getvariable('x') as x) select * from a
select count(*) from customers group by getvariable('x')
select name from customers order by getvariable('x')
select case when getvariable('x') is null then 1 end from customers
select write_log('x') from customers limit 1
select * from write_log('x')
select name from customers where write_log('x') is not null
select (select write_log('x')) from orders
with a as (select write_log('x') as x) select * from a
select count(*) from customers group by write_log('x')
select name from customers order by write_log('x')
select case when write_log('x') is null then 1 end from customers
select error('x') from customers limit 1
select * from error('x')
select name from customers where error('x') is not null
select (select error('x')) from orders
with a as (select error('x') as x) select * from a
select count(*) from customers group by error('x')
select name from customers order by error('x')
select case when error('x') is null then 1 end from customers
select txid_current() from customers limit 1
select * from txid_current()
select name from customers where txid_current() is not null
select (select txid_current()) from orders
with a as (select txid_current() as x) select * from a
select count(*) from customers group by txid_current()
select name from customers order by txid_current()
select case when txid_current() is null then 1 end from customers
select pg_catalog.pg_get_viewdef(1) from customers limit 1
select * from pg_catalog.pg_get_viewdef(1)
select name from customers where pg_catalog.pg_get_viewdef(1) is not null
select (select pg_catalog.pg_get_viewdef(1)) from orders
with a as (select pg_catalog.pg_get_viewdef(1) as x) select * from a
select count(*) from customers group by pg_catalog.pg_get_viewdef(1)
select name from customers order by pg_catalog.pg_get_viewdef(1)
select case when pg_catalog.pg_get_viewdef(1) is null then 1 end from customers
select main.steal(name) from customers limit 1
select * from main.steal(name)
select name from customers where main.steal(name) is not null
select (select main.steal(name)) from orders
with a as (select main.steal(name) as x) select * from a
select count(*) from customers group by main.steal(name)
select name from customers order by main.steal(name)
select case when main.steal(name) is null then 1 end from customers
select st_read('x') from customers limit 1
select * from st_read('x')
select name from customers where st_read('x') is not null
select (select st_read('x')) from orders
with a as (select st_read('x') as x) select * from a
select count(*) from customers group by st_read('x')
select name from customers order by st_read('x')
select case when st_read('x') is null then 1 end from customers
select from_substrait('x') from customers limit 1
select * from from_substrait('x')
select name from customers where from_substrait('x') is not null
select (select from_substrait('x')) from orders
with a as (select from_substrait('x') as x) select * from a
select count(*) from customers group by from_substrait('x')
select name from customers order by from_substrait('x')
select case when from_substrait('x') is null then 1 end from customers
select seq_scan('customers') from customers limit 1
select * from seq_scan('customers')
select name from customers where seq_scan('customers') is not null
select (select seq_scan('customers')) from orders
with a as (select seq_scan('customers') as x) select * from a
select count(*) from customers group by seq_scan('customers')
select name from customers order by seq_scan('customers')
select case when seq_scan('customers') is null then 1 end from customers
select arrow_scan(1,2,3) from customers limit 1
select * from arrow_scan(1,2,3)
select name from customers where arrow_scan(1,2,3) is not null
select (select arrow_scan(1,2,3)) from orders
with a as (select arrow_scan(1,2,3) as x) select * from a
select count(*) from customers group by arrow_scan(1,2,3)
select name from customers order by arrow_scan(1,2,3)
select case when arrow_scan(1,2,3) is null then 1 end from customers
-- in: postgres
select pg_read_file('/etc/passwd') from customers limit 1
select * from pg_read_file('/etc/passwd')
select name from customers where pg_read_file('/etc/passwd') is not null
select (select pg_read_file('/etc/passwd')) from orders
with a as (select pg_read_file('/etc/passwd') as x) select * from a
select count(*) from customers group by pg_read_file('/etc/passwd')
select name from customers order by pg_read_file('/etc/passwd')
select case when pg_read_file('/etc/passwd') is null then 1 end from customers
select pg_read_binary_file('x') from customers limit 1
select * from pg_read_binary_file('x')
select name from customers where pg_read_binary_file('x') is not null
select (select pg_read_binary_file('x')) from orders
with a as (select pg_read_binary_file('x') as x) select * from a
select count(*) from customers group by pg_read_binary_file('x')
select name from customers order by pg_read_binary_file('x')
select case when pg_read_binary_file('x') is null then 1 end from customers
select pg_ls_dir('/') from customers limit 1
select * from pg_ls_dir('/')
select name from customers where pg_ls_dir('/') is not null
select (select pg_ls_dir('/')) from orders
with a as (select pg_ls_dir('/') as x) select * from a
select count(*) from customers group by pg_ls_dir('/')
select name from customers order by pg_ls_dir('/')
select case when pg_ls_dir('/') is null then 1 end from customers
select pg_stat_file('x') from customers limit 1
select * from pg_stat_file('x')
select name from customers where pg_stat_file('x') is not null
select (select pg_stat_file('x')) from orders
with a as (select pg_stat_file('x') as x) select * from a
select count(*) from customers group by pg_stat_file('x')
select name from customers order by pg_stat_file('x')
select case when pg_stat_file('x') is null then 1 end from customers
select pg_sleep(1) from customers limit 1
select * from pg_sleep(1)
select name from customers where pg_sleep(1) is not null
select (select pg_sleep(1)) from orders
with a as (select pg_sleep(1) as x) select * from a
select count(*) from customers group by pg_sleep(1)
select name from customers order by pg_sleep(1)
select case when pg_sleep(1) is null then 1 end from customers
select pg_sleep_for('1 s') from customers limit 1
select * from pg_sleep_for('1 s')
select name from customers where pg_sleep_for('1 s') is not null
select (select pg_sleep_for('1 s')) from orders
with a as (select pg_sleep_for('1 s') as x) select * from a
select count(*) from customers group by pg_sleep_for('1 s')
select name from customers order by pg_sleep_for('1 s')
select case when pg_sleep_for('1 s') is null then 1 end from customers
select lo_import('/etc/passwd') from customers limit 1
select * from lo_import('/etc/passwd')
select name from customers where lo_import('/etc/passwd') is not null
select (select lo_import('/etc/passwd')) from orders
with a as (select lo_import('/etc/passwd') as x) select * from a
select count(*) from customers group by lo_import('/etc/passwd')
select name from customers order by lo_import('/etc/passwd')
select case when lo_import('/etc/passwd') is null then 1 end from customers
select lo_export(1,'/x') from customers limit 1
select * from lo_export(1,'/x')
select name from customers where lo_export(1,'/x') is not null
select (select lo_export(1,'/x')) from orders
with a as (select lo_export(1,'/x') as x) select * from a
select count(*) from customers group by lo_export(1,'/x')
select name from customers order by lo_export(1,'/x')
select case when lo_export(1,'/x') is null then 1 end from customers
select lo_get(1) from customers limit 1
select * from lo_get(1)
select name from customers where lo_get(1) is not null
select (select lo_get(1)) from orders
with a as (select lo_get(1) as x) select * from a
select count(*) from customers group by lo_get(1)
select name from customers order by lo_get(1)
select case when lo_get(1) is null then 1 end from customers
select dblink('x','select 1') from customers limit 1
select * from dblink('x','select 1')
select name from customers where dblink('x','select 1') is not null
select (select dblink('x','select 1')) from orders
with a as (select dblink('x','select 1') as x) select * from a
select count(*) from customers group by dblink('x','select 1')
select name from customers order by dblink('x','select 1')
select case when dblink('x','select 1') is null then 1 end from customers
select dblink_connect('x') from customers limit 1
select * from dblink_connect('x')
select name from customers where dblink_connect('x') is not null
select (select dblink_connect('x')) from orders
with a as (select dblink_connect('x') as x) select * from a
select count(*) from customers group by dblink_connect('x')
select name from customers order by dblink_connect('x')
select case when dblink_connect('x') is null then 1 end from customers
select set_config('a','b',false) from customers limit 1
select * from set_config('a','b',false)
select name from customers where set_config('a','b',false) is not null
select (select set_config('a','b',false)) from orders
with a as (select set_config('a','b',false) as x) select * from a
select count(*) from customers group by set_config('a','b',false)
select name from customers order by set_config('a','b',false)
select case when set_config('a','b',false) is null then 1 end from customers
select current_setting('data_directory') from customers limit 1
select * from current_setting('data_directory')
select name from customers where current_setting('data_directory') is not null
select (select current_setting('data_directory')) from orders
with a as (select current_setting('data_directory') as x) select * from a
select count(*) from customers group by current_setting('data_directory')
select name from customers order by current_setting('data_directory')
select case when current_setting('data_directory') is null then 1 end from customers
select nextval('s') from customers limit 1
select * from nextval('s')
select name from customers where nextval('s') is not null
select (select nextval('s')) from orders
with a as (select nextval('s') as x) select * from a
select count(*) from customers group by nextval('s')
select name from customers order by nextval('s')
select case when nextval('s') is null then 1 end from customers
select setval('s',1) from customers limit 1
select * from setval('s',1)
select name from customers where setval('s',1) is not null
select (select setval('s',1)) from orders
with a as (select setval('s',1) as x) select * from a
select count(*) from customers group by setval('s',1)
select name from customers order by setval('s',1)
select case when setval('s',1) is null then 1 end from customers
select query_to_xml('select 1',true,true,'') from customers limit 1
select * from query_to_xml('select 1',true,true,'')
select name from customers where query_to_xml('select 1',true,true,'') is not null
select (select query_to_xml('select 1',true,true,'')) from orders
with a as (select query_to_xml('select 1',true,true,'') as x) select * from a
select count(*) from customers group by query_to_xml('select 1',true,true,'')
select name from customers order by query_to_xml('select 1',true,true,'')
select case when query_to_xml('select 1',true,true,'') is null then 1 end from customers
select table_to_xml('shop.customers',true,true,'') from customers limit 1
select * from table_to_xml('shop.customers',true,true,'')
select name from customers where table_to_xml('shop.customers',true,true,'') is not null
select (select table_to_xml('shop.customers',true,true,'')) from orders
with a as (select table_to_xml('shop.customers',true,true,'') as x) select * from a
select count(*) from customers group by table_to_xml('shop.customers',true,true,'')
select name from customers order by table_to_xml('shop.customers',true,true,'')
select case when table_to_xml('shop.customers',true,true,'') is null then 1 end from customers
select database_to_xml(true,true,'') from customers limit 1
select * from database_to_xml(true,true,'')
select name from customers where database_to_xml(true,true,'') is not null
select (select database_to_xml(true,true,'')) from orders
with a as (select database_to_xml(true,true,'') as x) select * from a
select count(*) from customers group by database_to_xml(true,true,'')
select name from customers order by database_to_xml(true,true,'')
select case when database_to_xml(true,true,'') is null then 1 end from customers
select pg_terminate_backend(1) from customers limit 1
select * from pg_terminate_backend(1)
select name from customers where pg_terminate_backend(1) is not null
select (select pg_terminate_backend(1)) from orders
with a as (select pg_terminate_backend(1) as x) select * from a
select count(*) from customers group by pg_terminate_backend(1)
select name from customers order by pg_terminate_backend(1)
select case when pg_terminate_backend(1) is null then 1 end from customers
select pg_cancel_backend(1) from customers limit 1
select * from pg_cancel_backend(1)
select name from customers where pg_cancel_backend(1) is not null
select (select pg_cancel_backend(1)) from orders
with a as (select pg_cancel_backend(1) as x) select * from a
select count(*) from customers group by pg_cancel_backend(1)
select name from customers order by pg_cancel_backend(1)
select case when pg_cancel_backend(1) is null then 1 end from customers
select pg_reload_conf() from customers limit 1
select * from pg_reload_conf()
select name from customers where pg_reload_conf() is not null
select (select pg_reload_conf()) from orders
with a as (select pg_reload_conf() as x) select * from a
select count(*) from customers group by pg_reload_conf()
select name from customers order by pg_reload_conf()
select case when pg_reload_conf() is null then 1 end from customers
select pg_advisory_lock(1) from customers limit 1
select * from pg_advisory_lock(1)
select name from customers where pg_advisory_lock(1) is not null
select (select pg_advisory_lock(1)) from orders
with a as (select pg_advisory_lock(1) as x) select * from a
select count(*) from customers group by pg_advisory_lock(1)
select name from customers order by pg_advisory_lock(1)
select case when pg_advisory_lock(1) is null then 1 end from customers
select pg_notify('a','b') from customers limit 1
select * from pg_notify('a','b')
select name from customers where pg_notify('a','b') is not null
select (select pg_notify('a','b')) from orders
with a as (select pg_notify('a','b') as x) select * from a
select count(*) from customers group by pg_notify('a','b')
select name from customers order by pg_notify('a','b')
select case when pg_notify('a','b') is null then 1 end from customers
select pg_logical_emit_message(true,'a','b') from customers limit 1
select * from pg_logical_emit_message(true,'a','b')
select name from customers where pg_logical_emit_message(true,'a','b') is not null
select (select pg_logical_emit_message(true,'a','b')) from orders
with a as (select pg_logical_emit_message(true,'a','b') as x) select * from a
select count(*) from customers group by pg_logical_emit_message(true,'a','b')
select name from customers order by pg_logical_emit_message(true,'a','b')
select case when pg_logical_emit_message(true,'a','b') is null then 1 end from customers
select pg_get_viewdef('x') from customers limit 1
select * from pg_get_viewdef('x')
select name from customers where pg_get_viewdef('x') is not null
select (select pg_get_viewdef('x')) from orders
with a as (select pg_get_viewdef('x') as x) select * from a
select count(*) from customers group by pg_get_viewdef('x')
select name from customers order by pg_get_viewdef('x')
select case when pg_get_viewdef('x') is null then 1 end from customers
select pg_get_functiondef(1) from customers limit 1
select * from pg_get_functiondef(1)
select name from customers where pg_get_functiondef(1) is not null
select (select pg_get_functiondef(1)) from orders
with a as (select pg_get_functiondef(1) as x) select * from a
select count(*) from customers group by pg_get_functiondef(1)
select name from customers order by pg_get_functiondef(1)
select case when pg_get_functiondef(1) is null then 1 end from customers
select inet_server_addr() from customers limit 1
select * from inet_server_addr()
select name from customers where inet_server_addr() is not null
select (select inet_server_addr()) from orders
with a as (select inet_server_addr() as x) select * from a
select count(*) from customers group by inet_server_addr()
select name from customers order by inet_server_addr()
select case when inet_server_addr() is null then 1 end from customers
select has_table_privilege('x','y') from customers limit 1
select * from has_table_privilege('x','y')
select name from customers where has_table_privilege('x','y') is not null
select (select has_table_privilege('x','y')) from orders
with a as (select has_table_privilege('x','y') as x) select * from a
select count(*) from customers group by has_table_privilege('x','y')
select name from customers order by has_table_privilege('x','y')
select case when has_table_privilege('x','y') is null then 1 end from customers
select steal(name) from customers limit 1
select * from steal(name)
select name from customers where steal(name) is not null
select (select steal(name)) from orders
with a as (select steal(name) as x) select * from a
select count(*) from customers group by steal(name)
select name from customers order by steal(name)
select case when steal(name) is null then 1 end from customers
select "steal"(name) from customers limit 1
select * from "steal"(name)
select name from customers where "steal"(name) is not null
select (select "steal"(name)) from orders
with a as (select "steal"(name) as x) select * from a
select count(*) from customers group by "steal"(name)
select name from customers order by "steal"(name)
select case when "steal"(name) is null then 1 end from customers
select object(name) from customers limit 1
select * from object(name)
select name from customers where object(name) is not null
select (select object(name)) from orders
with a as (select object(name) as x) select * from a
select count(*) from customers group by object(name)
select name from customers order by object(name)
select case when object(name) is null then 1 end from customers
select sample(name) from customers limit 1
select * from sample(name)
select name from customers where sample(name) is not null
select (select sample(name)) from orders
with a as (select sample(name) as x) select * from a
select count(*) from customers group by sample(name)
select name from customers order by sample(name)
select case when sample(name) is null then 1 end from customers
select public.steal(name) from customers limit 1
select * from public.steal(name)
select name from customers where public.steal(name) is not null
select (select public.steal(name)) from orders
with a as (select public.steal(name) as x) select * from a
select count(*) from customers group by public.steal(name)
select name from customers order by public.steal(name)
select case when public.steal(name) is null then 1 end from customers
select shop.lower(name) from customers limit 1
select * from shop.lower(name)
select name from customers where shop.lower(name) is not null
select (select shop.lower(name)) from orders
with a as (select shop.lower(name) as x) select * from a
select count(*) from customers group by shop.lower(name)
select name from customers order by shop.lower(name)
select case when shop.lower(name) is null then 1 end from customers
select system(name) from customers limit 1
select * from system(name)
select name from customers where system(name) is not null
select (select system(name)) from orders
with a as (select system(name) as x) select * from a
select count(*) from customers group by system(name)
select name from customers order by system(name)
select case when system(name) is null then 1 end from customers
select ts_stat('select 1') from customers limit 1
select * from ts_stat('select 1')
select name from customers where ts_stat('select 1') is not null
select (select ts_stat('select 1')) from orders
with a as (select ts_stat('select 1') as x) select * from a
select count(*) from customers group by ts_stat('select 1')
select name from customers order by ts_stat('select 1')
select case when ts_stat('select 1') is null then 1 end from customers
select xpath_table('a','b','c','d','e') from customers limit 1
select * from xpath_table('a','b','c','d','e')
select name from customers where xpath_table('a','b','c','d','e') is not null
select (select xpath_table('a','b','c','d','e')) from orders
with a as (select xpath_table('a','b','c','d','e') as x) select * from a
select count(*) from customers group by xpath_table('a','b','c','d','e')
select name from customers order by xpath_table('a','b','c','d','e')
select case when xpath_table('a','b','c','d','e') is null then 1 end from customers
select currval('s') from customers limit 1
select * from currval('s')
select name from customers where currval('s') is not null
select (select currval('s')) from orders
with a as (select currval('s') as x) select * from a
select count(*) from customers group by currval('s')
select name from customers order by currval('s')
select case when currval('s') is null then 1 end from customers
select crosstab('select 1') from customers limit 1
select * from crosstab('select 1')
select name from customers where crosstab('select 1') is not null
select (select crosstab('select 1')) from orders
with a as (select crosstab('select 1') as x) select * from a
select count(*) from customers group by crosstab('select 1')
select name from customers order by crosstab('select 1')
select case when crosstab('select 1') is null then 1 end from customers
select txid_current() from customers limit 1
select * from txid_current()
select name from customers where txid_current() is not null
select (select txid_current()) from orders
with a as (select txid_current() as x) select * from a
select count(*) from customers group by txid_current()
select name from customers order by txid_current()
select case when txid_current() is null then 1 end from customers
select pg_export_snapshot() from customers limit 1
select * from pg_export_snapshot()
select name from customers where pg_export_snapshot() is not null
select (select pg_export_snapshot()) from orders
with a as (select pg_export_snapshot() as x) select * from a
select count(*) from customers group by pg_export_snapshot()
select name from customers order by pg_export_snapshot()
select case when pg_export_snapshot() is null then 1 end from customers
select pg_switch_wal() from customers limit 1
select * from pg_switch_wal()
select name from customers where pg_switch_wal() is not null
select (select pg_switch_wal()) from orders
with a as (select pg_switch_wal() as x) select * from a
select count(*) from customers group by pg_switch_wal()
select name from customers order by pg_switch_wal()
select case when pg_switch_wal() is null then 1 end from customers
select pg_create_restore_point('x') from customers limit 1
select * from pg_create_restore_point('x')
select name from customers where pg_create_restore_point('x') is not null
select (select pg_create_restore_point('x')) from orders
with a as (select pg_create_restore_point('x') as x) select * from a
select count(*) from customers group by pg_create_restore_point('x')
select name from customers order by pg_create_restore_point('x')
select case when pg_create_restore_point('x') is null then 1 end from customers
select col_description(1,2) from customers limit 1
select * from col_description(1,2)
select name from customers where col_description(1,2) is not null
select (select col_description(1,2)) from orders
with a as (select col_description(1,2) as x) select * from a
select count(*) from customers group by col_description(1,2)
select name from customers order by col_description(1,2)
select case when col_description(1,2) is null then 1 end from customers
select obj_description(1) from customers limit 1
select * from obj_description(1)
select name from customers where obj_description(1) is not null
select (select obj_description(1)) from orders
with a as (select obj_description(1) as x) select * from a
select count(*) from customers group by obj_description(1)
select name from customers order by obj_description(1)
select case when obj_description(1) is null then 1 end from customers
-- in: snowflake
select system$typeof(name) from customers limit 1
select * from system$typeof(name)
select name from customers where system$typeof(name) is not null
select (select system$typeof(name)) from orders
with a as (select system$typeof(name) as x) select * from a
select count(*) from customers group by system$typeof(name)
select name from customers order by system$typeof(name)
select case when system$typeof(name) is null then 1 end from customers
select system$cancel_query('x') from customers limit 1
select * from system$cancel_query('x')
select name from customers where system$cancel_query('x') is not null
select (select system$cancel_query('x')) from orders
with a as (select system$cancel_query('x') as x) select * from a
select count(*) from customers group by system$cancel_query('x')
select name from customers order by system$cancel_query('x')
select case when system$cancel_query('x') is null then 1 end from customers
select system$wait(1) from customers limit 1
select * from system$wait(1)
select name from customers where system$wait(1) is not null
select (select system$wait(1)) from orders
with a as (select system$wait(1) as x) select * from a
select count(*) from customers group by system$wait(1)
select name from customers order by system$wait(1)
select case when system$wait(1) is null then 1 end from customers
select get_ddl('table','customers') from customers limit 1
select * from get_ddl('table','customers')
select name from customers where get_ddl('table','customers') is not null
select (select get_ddl('table','customers')) from orders
with a as (select get_ddl('table','customers') as x) select * from a
select count(*) from customers group by get_ddl('table','customers')
select name from customers order by get_ddl('table','customers')
select case when get_ddl('table','customers') is null then 1 end from customers
select current_user() from customers limit 1
select * from current_user()
select name from customers where current_user() is not null
select (select current_user()) from orders
with a as (select current_user() as x) select * from a
select count(*) from customers group by current_user()
select name from customers order by current_user()
select case when current_user() is null then 1 end from customers
select current_account() from customers limit 1
select * from current_account()
select name from customers where current_account() is not null
select (select current_account()) from orders
with a as (select current_account() as x) select * from a
select count(*) from customers group by current_account()
select name from customers order by current_account()
select case when current_account() is null then 1 end from customers
select current_role() from customers limit 1
select * from current_role()
select name from customers where current_role() is not null
select (select current_role()) from orders
with a as (select current_role() as x) select * from a
select count(*) from customers group by current_role()
select name from customers order by current_role()
select case when current_role() is null then 1 end from customers
select result_scan(last_query_id()) from customers limit 1
select * from result_scan(last_query_id())
select name from customers where result_scan(last_query_id()) is not null
select (select result_scan(last_query_id())) from orders
with a as (select result_scan(last_query_id()) as x) select * from a
select count(*) from customers group by result_scan(last_query_id())
select name from customers order by result_scan(last_query_id())
select case when result_scan(last_query_id()) is null then 1 end from customers
select infer_schema(location=>'@x') from customers limit 1
select * from infer_schema(location=>'@x')
select name from customers where infer_schema(location=>'@x') is not null
select (select infer_schema(location=>'@x')) from orders
with a as (select infer_schema(location=>'@x') as x) select * from a
select count(*) from customers group by infer_schema(location=>'@x')
select name from customers order by infer_schema(location=>'@x')
select case when infer_schema(location=>'@x') is null then 1 end from customers
select get_presigned_url('@x','y') from customers limit 1
select * from get_presigned_url('@x','y')
select name from customers where get_presigned_url('@x','y') is not null
select (select get_presigned_url('@x','y')) from orders
with a as (select get_presigned_url('@x','y') as x) select * from a
select count(*) from customers group by get_presigned_url('@x','y')
select name from customers order by get_presigned_url('@x','y')
select case when get_presigned_url('@x','y') is null then 1 end from customers
select build_scoped_file_url('@x','y') from customers limit 1
select * from build_scoped_file_url('@x','y')
select name from customers where build_scoped_file_url('@x','y') is not null
select (select build_scoped_file_url('@x','y')) from orders
with a as (select build_scoped_file_url('@x','y') as x) select * from a
select count(*) from customers group by build_scoped_file_url('@x','y')
select name from customers order by build_scoped_file_url('@x','y')
select case when build_scoped_file_url('@x','y') is null then 1 end from customers
select identifier('secrets') from customers limit 1
select * from identifier('secrets')
select name from customers where identifier('secrets') is not null
select (select identifier('secrets')) from orders
with a as (select identifier('secrets') as x) select * from a
select count(*) from customers group by identifier('secrets')
select name from customers order by identifier('secrets')
select case when identifier('secrets') is null then 1 end from customers
select nextval('s') from customers limit 1
select * from nextval('s')
select name from customers where nextval('s') is not null
select (select nextval('s')) from orders
with a as (select nextval('s') as x) select * from a
select count(*) from customers group by nextval('s')
select name from customers order by nextval('s')
select case when nextval('s') is null then 1 end from customers
select s.nextval from customers limit 1
select * from s.nextval
select name from customers where s.nextval is not null
select (select s.nextval) from orders
with a as (select s.nextval as x) select * from a
select count(*) from customers group by s.nextval
select name from customers order by s.nextval
select case when s.nextval is null then 1 end from customers
select steal(name) from customers limit 1
select * from steal(name)
select name from customers where steal(name) is not null
select (select steal(name)) from orders
with a as (select steal(name) as x) select * from a
select count(*) from customers group by steal(name)
select name from customers order by steal(name)
select case when steal(name) is null then 1 end from customers
select "steal"(name) from customers limit 1
select * from "steal"(name)
select name from customers where "steal"(name) is not null
select (select "steal"(name)) from orders
with a as (select "steal"(name) as x) select * from a
select count(*) from customers group by "steal"(name)
select name from customers order by "steal"(name)
select case when "steal"(name) is null then 1 end from customers
select object(name) from customers limit 1
select * from object(name)
select name from customers where object(name) is not null
select (select object(name)) from orders
with a as (select object(name) as x) select * from a
select count(*) from customers group by object(name)
select name from customers order by object(name)
select case when object(name) is null then 1 end from customers
select public.steal(name) from customers limit 1
select * from public.steal(name)
select name from customers where public.steal(name) is not null
select (select public.steal(name)) from orders
with a as (select public.steal(name) as x) select * from a
select count(*) from customers group by public.steal(name)
select name from customers order by public.steal(name)
select case when public.steal(name) is null then 1 end from customers
select ai_complete('m','p') from customers limit 1
select * from ai_complete('m','p')
select name from customers where ai_complete('m','p') is not null
select (select ai_complete('m','p')) from orders
with a as (select ai_complete('m','p') as x) select * from a
select count(*) from customers group by ai_complete('m','p')
select name from customers order by ai_complete('m','p')
select case when ai_complete('m','p') is null then 1 end from customers
select snowflake.cortex.complete('m','p') from customers limit 1
select * from snowflake.cortex.complete('m','p')
select name from customers where snowflake.cortex.complete('m','p') is not null
select (select snowflake.cortex.complete('m','p')) from orders
with a as (select snowflake.cortex.complete('m','p') as x) select * from a
select count(*) from customers group by snowflake.cortex.complete('m','p')
select name from customers order by snowflake.cortex.complete('m','p')
select case when snowflake.cortex.complete('m','p') is null then 1 end from customers
select to_file('@x') from customers limit 1
select * from to_file('@x')
select name from customers where to_file('@x') is not null
select (select to_file('@x')) from orders
with a as (select to_file('@x') as x) select * from a
select count(*) from customers group by to_file('@x')
select name from customers order by to_file('@x')
select case when to_file('@x') is null then 1 end from customers
select external_function(name) from customers limit 1
select * from external_function(name)
select name from customers where external_function(name) is not null
select (select external_function(name)) from orders
with a as (select external_function(name) as x) select * from a
select count(*) from customers group by external_function(name)
select name from customers order by external_function(name)
select case when external_function(name) is null then 1 end from customers
select last_query_id() from customers limit 1
select * from last_query_id()
select name from customers where last_query_id() is not null
select (select last_query_id()) from orders
with a as (select last_query_id() as x) select * from a
select count(*) from customers group by last_query_id()
select name from customers order by last_query_id()
select case when last_query_id() is null then 1 end from customers
select validate(t,job_id=>'x') from customers limit 1
select * from validate(t,job_id=>'x')
select name from customers where validate(t,job_id=>'x') is not null
select (select validate(t,job_id=>'x')) from orders
with a as (select validate(t,job_id=>'x') as x) select * from a
select count(*) from customers group by validate(t,job_id=>'x')
select name from customers order by validate(t,job_id=>'x')
select case when validate(t,job_id=>'x') is null then 1 end from customers
select materialized(name) from customers limit 1
select * from materialized(name)
select name from customers where materialized(name) is not null
select (select materialized(name)) from orders
with a as (select materialized(name) as x) select * from a
select count(*) from customers group by materialized(name)
select name from customers order by materialized(name)
select case when materialized(name) is null then 1 end from customers
select within(name) from customers limit 1
select * from within(name)
select name from customers where within(name) is not null
select (select within(name)) from orders
with a as (select within(name) as x) select * from a
select count(*) from customers group by within(name)
select name from customers order by within(name)
select case when within(name) is null then 1 end from customers
-- in: bigquery
select external_query('c','select 1') from customers limit 1
select * from external_query('c','select 1')
select name from customers where external_query('c','select 1') is not null
select (select external_query('c','select 1')) from orders
with a as (select external_query('c','select 1') as x) select * from a
select count(*) from customers group by external_query('c','select 1')
select name from customers order by external_query('c','select 1')
select case when external_query('c','select 1') is null then 1 end from customers
select ml.predict(model m, table t) from customers limit 1
select * from ml.predict(model m, table t)
select name from customers where ml.predict(model m, table t) is not null
select (select ml.predict(model m, table t)) from orders
with a as (select ml.predict(model m, table t) as x) select * from a
select count(*) from customers group by ml.predict(model m, table t)
select name from customers order by ml.predict(model m, table t)
select case when ml.predict(model m, table t) is null then 1 end from customers
select ai.generate('x') from customers limit 1
select * from ai.generate('x')
select name from customers where ai.generate('x') is not null
select (select ai.generate('x')) from orders
with a as (select ai.generate('x') as x) select * from a
select count(*) from customers group by ai.generate('x')
select name from customers order by ai.generate('x')
select case when ai.generate('x') is null then 1 end from customers
select session_user() from customers limit 1
select * from session_user()
select name from customers where session_user() is not null
select (select session_user()) from orders
with a as (select session_user() as x) select * from a
select count(*) from customers group by session_user()
select name from customers order by session_user()
select case when session_user() is null then 1 end from customers
select error('x') from customers limit 1
select * from error('x')
select name from customers where error('x') is not null
select (select error('x')) from orders
with a as (select error('x') as x) select * from a
select count(*) from customers group by error('x')
select name from customers order by error('x')
select case when error('x') is null then 1 end from customers
select keys.new_keyset('x') from customers limit 1
select * from keys.new_keyset('x')
select name from customers where keys.new_keyset('x') is not null
select (select keys.new_keyset('x')) from orders
with a as (select keys.new_keyset('x') as x) select * from a
select count(*) from customers group by keys.new_keyset('x')
select name from customers order by keys.new_keyset('x')
select case when keys.new_keyset('x') is null then 1 end from customers
select keys.decrypt_bytes('a','b','c') from customers limit 1
select * from keys.decrypt_bytes('a','b','c')
select name from customers where keys.decrypt_bytes('a','b','c') is not null
select (select keys.decrypt_bytes('a','b','c')) from orders
with a as (select keys.decrypt_bytes('a','b','c') as x) select * from a
select count(*) from customers group by keys.decrypt_bytes('a','b','c')
select name from customers order by keys.decrypt_bytes('a','b','c')
select case when keys.decrypt_bytes('a','b','c') is null then 1 end from customers
select shop.steal(name) from customers limit 1
select * from shop.steal(name)
select name from customers where shop.steal(name) is not null
select (select shop.steal(name)) from orders
with a as (select shop.steal(name) as x) select * from a
select count(*) from customers group by shop.steal(name)
select name from customers order by shop.steal(name)
select case when shop.steal(name) is null then 1 end from customers
select steal(name) from customers limit 1
select * from steal(name)
select name from customers where steal(name) is not null
select (select steal(name)) from orders
with a as (select steal(name) as x) select * from a
select count(*) from customers group by steal(name)
select name from customers order by steal(name)
select case when steal(name) is null then 1 end from customers
select `steal`(name) from customers limit 1
select * from `steal`(name)
select name from customers where `steal`(name) is not null
select (select `steal`(name)) from orders
with a as (select `steal`(name) as x) select * from a
select count(*) from customers group by `steal`(name)
select name from customers order by `steal`(name)
select case when `steal`(name) is null then 1 end from customers
select object(name) from customers limit 1
select * from object(name)
select name from customers where object(name) is not null
select (select object(name)) from orders
with a as (select object(name) as x) select * from a
select count(*) from customers group by object(name)
select name from customers order by object(name)
select case when object(name) is null then 1 end from customers
select sample(name) from customers limit 1
select * from sample(name)
select name from customers where sample(name) is not null
select (select sample(name)) from orders
with a as (select sample(name) as x) select * from a
select count(*) from customers group by sample(name)
select name from customers order by sample(name)
select case when sample(name) is null then 1 end from customers
select net.steal(name) from customers limit 1
select * from net.steal(name)
select name from customers where net.steal(name) is not null
select (select net.steal(name)) from orders
with a as (select net.steal(name) as x) select * from a
select count(*) from customers group by net.steal(name)
select name from customers order by net.steal(name)
select case when net.steal(name) is null then 1 end from customers
select appends(table orders, null) from customers limit 1
select * from appends(table orders, null)
select name from customers where appends(table orders, null) is not null
select (select appends(table orders, null)) from orders
with a as (select appends(table orders, null) as x) select * from a
select count(*) from customers group by appends(table orders, null)
select name from customers order by appends(table orders, null)
select case when appends(table orders, null) is null then 1 end from customers
select changes(table orders, null, null) from customers limit 1
select * from changes(table orders, null, null)
select name from customers where changes(table orders, null, null) is not null
select (select changes(table orders, null, null)) from orders
with a as (select changes(table orders, null, null) as x) select * from a
select count(*) from customers group by changes(table orders, null, null)
select name from customers order by changes(table orders, null, null)
select case when changes(table orders, null, null) is null then 1 end from customers
select vector_search(table a,'b',table c) from customers limit 1
select * from vector_search(table a,'b',table c)
select name from customers where vector_search(table a,'b',table c) is not null
select (select vector_search(table a,'b',table c)) from orders
with a as (select vector_search(table a,'b',table c) as x) select * from a
select count(*) from customers group by vector_search(table a,'b',table c)
select name from customers order by vector_search(table a,'b',table c)
select case when vector_search(table a,'b',table c) is null then 1 end from customers
select text(name) from customers limit 1
select * from text(name)
select name from customers where text(name) is not null
select (select text(name)) from orders
with a as (select text(name) as x) select * from a
select count(*) from customers group by text(name)
select name from customers order by text(name)
select case when text(name) is null then 1 end from customers
select system(name) from customers limit 1
select * from system(name)
select name from customers where system(name) is not null
select (select system(name)) from orders
with a as (select system(name) as x) select * from a
select count(*) from customers group by system(name)
select name from customers order by system(name)
select case when system(name) is null then 1 end from customers
select bytes(name) from customers limit 1
select * from bytes(name)
select name from customers where bytes(name) is not null
select (select bytes(name)) from orders
with a as (select bytes(name) as x) select * from a
select count(*) from customers group by bytes(name)
select name from customers order by bytes(name)
select case when bytes(name) is null then 1 end from customers
select materialized(name) from customers limit 1
select * from materialized(name)
select name from customers where materialized(name) is not null
select (select materialized(name)) from orders
with a as (select materialized(name) as x) select * from a
select count(*) from customers group by materialized(name)
select name from customers order by materialized(name)
select case when materialized(name) is null then 1 end from customers
-- in: postgres
select 'a' @@@ 'b'
-- in: duckdb postgres
select current_setting('search_path')
select current_setting('data_directory')
select current_setting('timezone', true)
select current_setting('time' || 'zone')
select current_setting(name) from customers
select current_setting((select 'timezone'))
select "current_setting"('data_directory')
select system.main.current_setting('secret_directory')
select pg_catalog.current_setting('hba_file')
select 'home_directory'.current_setting()
select set_config('timezone', 'UTC', false)
show search_path
show all settings
show data_directory
show secret_directory
show timezone; drop table orders
show timezone union select password_hash from customers
show password_hash
select getenv('HOME')
select * from duckdb_secrets()
select * from pg_stat_activity
select query from pg_catalog.pg_stat_activity
select * from pg_stat_statements
select most_common_vals from pg_stats
select * from pg_catalog.pg_stats where tablename = 'customers'
select avg_width, n_distinct from pg_stats where attname = 'password_hash'
select stavalues1 from pg_statistic
select enumlabel from pg_enum
select description from pg_description
select adbin from pg_attrdef
select prosrc from pg_proc
select * from pg_settings
select setting from pg_catalog.pg_settings where name = 'data_directory'
select rolpassword from pg_authid
select * from pg_shadow
select * from pg_user
select * from pg_roles
select relpages from pg_class
select relacl, relowner from pg_catalog.pg_class
select reltoastrelid from pg_class
select conbin from pg_constraint
select typdefault from pg_type
select attmissingval from pg_attribute
select indexprs, indpred from pg_index
select indexdef from pg_indexes
select definition from pg_views
select definition from pg_matviews
select view_definition from information_schema.views
select column_default from information_schema.columns
select c.column_default from information_schema.columns c
select generation_expression from information_schema.columns
select check_clause from information_schema.check_constraints
select * from information_schema.triggers
select pg_relation_size('shop.customers')
select pg_total_relation_size(oid) from pg_class
select pg_get_viewdef('v')
select pg_get_constraintdef(oid) from pg_constraint
select pg_get_expr('x', 1)
select obj_description(oid) from pg_class
select col_description('shop.customers'::regclass, 1)
select query_to_xml('select password_hash from shop.customers', true, true, '')
select pg_read_file('/etc/passwd')
select status::regclass from orders
select name::regclass from customers, pg_class
select (select name from customers limit 1)::regclass from pg_class
select email::regclass from customers
select 'other.secrets'::regclass from pg_class
select * from pg_class, secrets
select relname from pg_class where relname = (select password_hash from customers limit 1)
select c.relname from pg_class c join customers k on k.password_hash = c.relname
select count(*) from pg_class where relname in (select email from customers)
explain analyze select * from orders
explain (analyze) select * from orders
explain (analyze, costs off) select * from orders
explain (costs off, analyze true) select * from orders
explain (format json, analyze) select * from orders
explain verbose analyze select * from orders
explain (costs off) delete from orders
explain (costs off) insert into orders select * from orders
explain verbose create table x as select 1
explain (format json) select password_hash from customers
explain (costs off) select * from customers where password_hash like 'S%'
explain verbose select * from secrets
explain (costs off) (analyze) select 1
explain (format 'x') select 1
select name from customers where email = any (array['a', password_hash])
select name from customers where email = any (array(select password_hash from customers))
select name from customers where email = any (select name from customers)
select name from customers where email < any (array['m'])
select name from customers where email like any (array['a%'])
select name from customers where email = any (array['a','b','c','d','e','f','g','h','i','j','k'])
select name from customers where email is distinct from name
select name from customers where email is not distinct from password_hash
select name from customers where email is distinct from (select email from customers limit 1)
select name from customers where lower(email) is distinct from 'a'
select name from customers where email is distinct from '(masked)'
select name from customers where email = any (array['(masked)'])
select length(email), count(*) from customers group by 1
select name from customers where length(email) > 15
select name from customers order by length(email)
select min(length(email)) from customers
select octet_length(email) from customers
select 10 / (length(email) - 15) from customers
select avg(length(email::text)) from customers
select percentile_cont(0.5) within group (order by email) from customers
select percentile_disc(0.5) within group (order by password_hash) from customers
select percentile_disc(0) within group (order by phone) from customers
select count(*) filter (where email > 'b') from customers
-- in: duckdb
select percentile_cont(name) from customers
select percentile_disc(0.5, name) from customers
select percentile_cont(0.5) over () from customers
select #5 from customers
select #3 from customers
select max(#3) from customers
select name from customers order by #3
select count(*) from customers group by #3
select #3 || '' from customers
select name from customers where #3 > 'b'
select name from customers where #5 like 'S%'
select #2 from (select * from customers)
select #2 from orders join customers using (customer_id)
select (select #5 from customers limit 1) from orders
select #1 from information_schema.tables
select length(#3) from customers
select #0 from customers
from customers select #5
select current_setting('home_directory')
select current_setting('s3_secret_access_key')
select current_setting('allowed_directories')
select current_setting('threads')
select list_transform(['secret_directory'], lambda x : current_setting(x))
select * from duckdb_settings()
select * from duckdb_settings
select * from duckdb_databases()
select path from duckdb_databases
select file from pragma_database_list
select sql from duckdb_tables()
select sql from duckdb_tables
select sql from duckdb_views
select sql from sqlite_master
select tbl_name, sql from main.sqlite_master
select expression, constraint_text from duckdb_constraints()
select macro_definition from duckdb_functions()
select labels from duckdb_types()
select log_level, message from duckdb_logs
select statement from pg_prepared_statements
select comment from duckdb_columns()
select column_default from duckdb_columns
select column_default from system.main.duckdb_columns
select last_value from duckdb_sequences()
select * from "duckdb_secrets"()
select * from duckdb_tables('x')
select * from duckdb_tables() t, lateral (select t.sql)
select duckdb_tables()
select * from pragma_storage_info('customers')
select stats from pragma_storage_info('shop.customers')
select stats(email) from customers
select stats(password_hash) from customers
with recursive t(n) using key (n) as (select password_hash from customers union select n from t) select * from t
select key(name) from customers
select repeatable(name) from customers
-- in: postgres
select t.e from customers c cross join lateral unnest(array[c.password_hash]) with ordinality as t(e, n)
select t.e from customers c cross join lateral unnest(array[c.email]) with ordinality as t(e, n) where t.e > 'b'
select j.e from customers c, json_to_record(to_json(c)) as j(password_hash text, e text)
select j.email from customers c, json_to_record(to_json(c)) as j(email text) where j.email > 'b'
select j.x from jsonb_to_record('{"x": "secrets"}') as j(x regclass)
select * from json_to_recordset((select json_agg(c) from customers c)) as j(email text)
select length(json_agg(c)::text) from customers c
select json_agg(c) ->> 0 from customers c
select json_agg(c.password_hash) from customers c
select json_agg(c order by c.password_hash) from customers c
select json_agg(c order by c.email) from customers c
select json_agg(c) filter (where c.email > 'b') from customers c
select array_agg(c) from customers c
select current_setting('is_superuser')
select current_setting('config_file')
select current_setting('app.secret')
select pg_catalog.current_setting('data_directory')
select * from pg_ls_dir('.')
select pg_stat_get_activity(1)
select pg_stat_file('/etc/passwd')
select lo_import('/etc/passwd')
select inet_server_addr()
select last_value from pg_sequences
select * from pg_stats_ext
select most_common_vals from pg_stats_ext_exprs
select * from pg_user_mappings
select srvoptions from pg_foreign_server
select subconninfo from pg_subscription
select * from pg_hba_file_rules
select * from pg_file_settings
select format_type(password_hash::int, 1) from customers
