-- # Statements on masked columns behind sub-queries: each is refused, or answers what the warehouse would answer.
-- in: duckdb postgres
select count(*) from (select email from customers) s where s.email = 'ada@example.com'
select count(*) from (select email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select email from customers) s where s.email like 'ada@example.com'
select count(*) from (select email from customers) s where 'bob@example.com' = s.email
select count(*) from (select email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select email from customers) s where s.email is not null
select count(*) from (select email from customers) s where s.email > 'bob@example.com'
select count(*) from (select email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email, name from customers) s where s.email = 'ada@example.com'
select count(*) from (select email, name from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select email, name from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select email, name from customers) s where s.email like 'ada@example.com'
select count(*) from (select email, name from customers) s where 'bob@example.com' = s.email
select count(*) from (select email, name from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select email, name from customers) s where s.email is not null
select count(*) from (select email, name from customers) s where s.email > 'bob@example.com'
select count(*) from (select email, name from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email, name from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email, name from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email, name from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select * from customers) s where s.email = 'ada@example.com'
select count(*) from (select * from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select * from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select * from customers) s where s.email like 'ada@example.com'
select count(*) from (select * from customers) s where 'bob@example.com' = s.email
select count(*) from (select * from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select * from customers) s where s.email is not null
select count(*) from (select * from customers) s where s.email > 'bob@example.com'
select count(*) from (select * from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select * from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select * from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select * from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select * from (select * from customers) q) s where s.email = 'ada@example.com'
select count(*) from (select * from (select * from customers) q) s where email in ('bob@example.com', 'y')
select count(*) from (select * from (select * from customers) q) s where s.email <> 'nobody@example.com'
select count(*) from (select * from (select * from customers) q) s where s.email like 'ada@example.com'
select count(*) from (select * from (select * from customers) q) s where 'bob@example.com' = s.email
select count(*) from (select * from (select * from customers) q) s where not s.email = 'nobody@example.com'
select count(*) from (select * from (select * from customers) q) s where s.email is not null
select count(*) from (select * from (select * from customers) q) s where s.email > 'bob@example.com'
select count(*) from (select * from (select * from customers) q) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select * from (select * from customers) q) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select * from (select * from customers) q) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select * from (select * from customers) q) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email = 'ada@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where email in ('bob@example.com', 'y')
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email <> 'nobody@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email like 'ada@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where 'bob@example.com' = s.email
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where not s.email = 'nobody@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email is not null
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email > 'bob@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select c.email from customers c join orders o on o.customer_id = c.customer_id) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email from customers union all select email from customers) s where s.email = 'ada@example.com'
select count(*) from (select email from customers union all select email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select email from customers union all select email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select email from customers union all select email from customers) s where s.email like 'ada@example.com'
select count(*) from (select email from customers union all select email from customers) s where 'bob@example.com' = s.email
select count(*) from (select email from customers union all select email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select email from customers union all select email from customers) s where s.email is not null
select count(*) from (select email from customers union all select email from customers) s where s.email > 'bob@example.com'
select count(*) from (select email from customers union all select email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email from customers union all select email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email from customers union all select email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email from customers union all select email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where s.email = 'ada@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select 'x' as email union all select email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where s.email like 'ada@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where 'bob@example.com' = s.email
select count(*) from (select 'x' as email union all select email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where s.email is not null
select count(*) from (select 'x' as email union all select email from customers) s where s.email > 'bob@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select 'x' as email union all select email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select 'x' as email union all select email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select 'x' as email union all select email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email from customers limit 10) s where s.email = 'ada@example.com'
select count(*) from (select email from customers limit 10) s where email in ('bob@example.com', 'y')
select count(*) from (select email from customers limit 10) s where s.email <> 'nobody@example.com'
select count(*) from (select email from customers limit 10) s where s.email like 'ada@example.com'
select count(*) from (select email from customers limit 10) s where 'bob@example.com' = s.email
select count(*) from (select email from customers limit 10) s where not s.email = 'nobody@example.com'
select count(*) from (select email from customers limit 10) s where s.email is not null
select count(*) from (select email from customers limit 10) s where s.email > 'bob@example.com'
select count(*) from (select email from customers limit 10) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email from customers limit 10) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email from customers limit 10) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email from customers limit 10) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select distinct email from customers) s where s.email = 'ada@example.com'
select count(*) from (select distinct email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select distinct email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select distinct email from customers) s where s.email like 'ada@example.com'
select count(*) from (select distinct email from customers) s where 'bob@example.com' = s.email
select count(*) from (select distinct email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select distinct email from customers) s where s.email is not null
select count(*) from (select distinct email from customers) s where s.email > 'bob@example.com'
select count(*) from (select distinct email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select distinct email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select distinct email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select distinct email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where s.email = 'ada@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where email in ('bob@example.com', 'y')
select count(*) from (select email, count(*) as n from customers group by email) s where s.email <> 'nobody@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where s.email like 'ada@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where 'bob@example.com' = s.email
select count(*) from (select email, count(*) as n from customers group by email) s where not s.email = 'nobody@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where s.email is not null
select count(*) from (select email, count(*) as n from customers group by email) s where s.email > 'bob@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email, count(*) as n from customers group by email) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email, count(*) as n from customers group by email) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email, count(*) as n from customers group by email) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email from customers where email is not null) s where s.email = 'ada@example.com'
select count(*) from (select email from customers where email is not null) s where email in ('bob@example.com', 'y')
select count(*) from (select email from customers where email is not null) s where s.email <> 'nobody@example.com'
select count(*) from (select email from customers where email is not null) s where s.email like 'ada@example.com'
select count(*) from (select email from customers where email is not null) s where 'bob@example.com' = s.email
select count(*) from (select email from customers where email is not null) s where not s.email = 'nobody@example.com'
select count(*) from (select email from customers where email is not null) s where s.email is not null
select count(*) from (select email from customers where email is not null) s where s.email > 'bob@example.com'
select count(*) from (select email from customers where email is not null) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email from customers where email is not null) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email from customers where email is not null) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email from customers where email is not null) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select email from customers order by email limit 1) s where s.email = 'ada@example.com'
select count(*) from (select email from customers order by email limit 1) s where email in ('bob@example.com', 'y')
select count(*) from (select email from customers order by email limit 1) s where s.email <> 'nobody@example.com'
select count(*) from (select email from customers order by email limit 1) s where s.email like 'ada@example.com'
select count(*) from (select email from customers order by email limit 1) s where 'bob@example.com' = s.email
select count(*) from (select email from customers order by email limit 1) s where not s.email = 'nobody@example.com'
select count(*) from (select email from customers order by email limit 1) s where s.email is not null
select count(*) from (select email from customers order by email limit 1) s where s.email > 'bob@example.com'
select count(*) from (select email from customers order by email limit 1) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select email from customers order by email limit 1) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select email from customers order by email limit 1) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select email from customers order by email limit 1) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select upper(email) as email from customers) s where s.email = 'ada@example.com'
select count(*) from (select upper(email) as email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select upper(email) as email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select upper(email) as email from customers) s where s.email like 'ada@example.com'
select count(*) from (select upper(email) as email from customers) s where 'bob@example.com' = s.email
select count(*) from (select upper(email) as email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select upper(email) as email from customers) s where s.email is not null
select count(*) from (select upper(email) as email from customers) s where s.email > 'bob@example.com'
select count(*) from (select upper(email) as email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select upper(email) as email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select upper(email) as email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select upper(email) as email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email = 'ada@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email like 'ada@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where 'bob@example.com' = s.email
select count(*) from (select coalesce(email, 'x') as email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email is not null
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email > 'bob@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select coalesce(email, 'x') as email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email = 'ada@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email like 'ada@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where 'bob@example.com' = s.email
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email is not null
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email > 'bob@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select case when customer_id = 1 then email end as email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select max(email) as email from customers) s where s.email = 'ada@example.com'
select count(*) from (select max(email) as email from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select max(email) as email from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select max(email) as email from customers) s where s.email like 'ada@example.com'
select count(*) from (select max(email) as email from customers) s where 'bob@example.com' = s.email
select count(*) from (select max(email) as email from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select max(email) as email from customers) s where s.email is not null
select count(*) from (select max(email) as email from customers) s where s.email > 'bob@example.com'
select count(*) from (select max(email) as email from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select max(email) as email from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select max(email) as email from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select max(email) as email from customers) s where s.email is not distinct from 'nobody@example.com'
select count(*) from (select name as email, email as name from customers) s where s.email = 'ada@example.com'
select count(*) from (select name as email, email as name from customers) s where email in ('bob@example.com', 'y')
select count(*) from (select name as email, email as name from customers) s where s.email <> 'nobody@example.com'
select count(*) from (select name as email, email as name from customers) s where s.email like 'ada@example.com'
select count(*) from (select name as email, email as name from customers) s where 'bob@example.com' = s.email
select count(*) from (select name as email, email as name from customers) s where not s.email = 'nobody@example.com'
select count(*) from (select name as email, email as name from customers) s where s.email is not null
select count(*) from (select name as email, email as name from customers) s where s.email > 'bob@example.com'
select count(*) from (select name as email, email as name from customers) s where lower(s.email) = 'nobody@example.com'
select count(*) from (select name as email, email as name from customers) s where s.email = 'ada@example.com' or s.email is null
select count(*) from (select name as email, email as name from customers) s where s.email in (select email from customers where email = 'bob@example.com')
select count(*) from (select name as email, email as name from customers) s where s.email is not distinct from 'nobody@example.com'
with s as (select email from customers) select count(*) from s where s.email = 'ada@example.com'
with s as (select email from customers) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select email from customers) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select email from customers) select count(*) from s where s.email like '(masked) '
with s as (select email from customers) select count(*) from s where 'ada@example.com' = s.email
with s as (select email from customers) select count(*) from s where not s.email = 'bob@example.com'
with s as (select email from customers) select count(*) from s where s.email is not null
with s as (select email from customers) select count(*) from s where s.email > '(masked) '
with s as (select email, name from customers) select count(*) from s where s.email = 'ada@example.com'
with s as (select email, name from customers) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select email, name from customers) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select email, name from customers) select count(*) from s where s.email like '(masked) '
with s as (select email, name from customers) select count(*) from s where 'ada@example.com' = s.email
with s as (select email, name from customers) select count(*) from s where not s.email = 'bob@example.com'
with s as (select email, name from customers) select count(*) from s where s.email is not null
with s as (select email, name from customers) select count(*) from s where s.email > '(masked) '
with s as (select * from customers) select count(*) from s where s.email = 'ada@example.com'
with s as (select * from customers) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select * from customers) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select * from customers) select count(*) from s where s.email like '(masked) '
with s as (select * from customers) select count(*) from s where 'ada@example.com' = s.email
with s as (select * from customers) select count(*) from s where not s.email = 'bob@example.com'
with s as (select * from customers) select count(*) from s where s.email is not null
with s as (select * from customers) select count(*) from s where s.email > '(masked) '
with s as (select * from (select * from customers) q) select count(*) from s where s.email = 'ada@example.com'
with s as (select * from (select * from customers) q) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select * from (select * from customers) q) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select * from (select * from customers) q) select count(*) from s where s.email like '(masked) '
with s as (select * from (select * from customers) q) select count(*) from s where 'ada@example.com' = s.email
with s as (select * from (select * from customers) q) select count(*) from s where not s.email = 'bob@example.com'
with s as (select * from (select * from customers) q) select count(*) from s where s.email is not null
with s as (select * from (select * from customers) q) select count(*) from s where s.email > '(masked) '
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where s.email = 'ada@example.com'
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where s.email like '(masked) '
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where 'ada@example.com' = s.email
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where not s.email = 'bob@example.com'
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where s.email is not null
with s as (select c.email from customers c join orders o on o.customer_id = c.customer_id) select count(*) from s where s.email > '(masked) '
with s as (select email from customers union all select email from customers) select count(*) from s where s.email = 'ada@example.com'
with s as (select email from customers union all select email from customers) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select email from customers union all select email from customers) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select email from customers union all select email from customers) select count(*) from s where s.email like '(masked) '
with s as (select email from customers union all select email from customers) select count(*) from s where 'ada@example.com' = s.email
with s as (select email from customers union all select email from customers) select count(*) from s where not s.email = 'bob@example.com'
with s as (select email from customers union all select email from customers) select count(*) from s where s.email is not null
with s as (select email from customers union all select email from customers) select count(*) from s where s.email > '(masked) '
with s as (select 'x' as email union all select email from customers) select count(*) from s where s.email = 'ada@example.com'
with s as (select 'x' as email union all select email from customers) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select 'x' as email union all select email from customers) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select 'x' as email union all select email from customers) select count(*) from s where s.email like '(masked) '
with s as (select 'x' as email union all select email from customers) select count(*) from s where 'ada@example.com' = s.email
with s as (select 'x' as email union all select email from customers) select count(*) from s where not s.email = 'bob@example.com'
with s as (select 'x' as email union all select email from customers) select count(*) from s where s.email is not null
with s as (select 'x' as email union all select email from customers) select count(*) from s where s.email > '(masked) '
with s as (select email from customers limit 10) select count(*) from s where s.email = 'ada@example.com'
with s as (select email from customers limit 10) select count(*) from s where email in ('bob@example.com', 'y')
with s as (select email from customers limit 10) select count(*) from s where s.email <> 'nobody@example.com'
with s as (select email from customers limit 10) select count(*) from s where s.email like '(masked) '
with s as (select email from customers limit 10) select count(*) from s where 'ada@example.com' = s.email
with s as (select email from customers limit 10) select count(*) from s where not s.email = 'bob@example.com'
with s as (select email from customers limit 10) select count(*) from s where s.email is not null
with s as (select email from customers limit 10) select count(*) from s where s.email > '(masked) '
select count(*) from customers where email in (select email from customers)
select count(*) from (select email from customers) a join (select email from customers) b on a.email = b.email
select count(*) from (select email as e from customers) a join (select email as e from customers) b using (e)
select count(*) from (select email as e from customers) a natural join (select email as e from customers) b
select count(*) from (select email from customers intersect select 'ada@example.com') i
select count(*) from (select email from customers except select 'ada@example.com') i
select count(*) from (select email from customers union select 'ada@example.com') i
select count(*) from orders o where exists (select 1 from customers c where c.customer_id = o.customer_id and c.email = 'ada@example.com')
select count(*) from orders o where o.customer_id in (select customer_id from customers where email = 'ada@example.com')
select o.order_id from orders o join (select customer_id, email as mail from customers) c on c.customer_id = o.customer_id where c.mail = 'ada@example.com'
select count(*) from customers where 'ada@example.com' in (select email from customers)
select count(*) from customers where (select email from customers where customer_id = 1) = 'ada@example.com'
select name from customers order by email limit 1
select name from customers order by email desc nulls last limit 1
select count(distinct email) from customers
select name, row_number() over (order by email) from customers
select name, count(*) over (partition by email) from customers
select count(*) from customers group by email having count(*) > 1
select s.a from (select name as a, email as b from customers) s(a, b) where s.b = 'ada@example.com'
select q.x from (select name, email from customers) q(x, y) where q.y = 'ada@example.com'
select count(*) from customers c(i, n, m, p) where m = 'ada@example.com'
select count(*) from customers where phone = 4915112345
select count(*) from (select phone from customers) s where phone = 4915112345
select count(*) from (select phone as p from customers) s where s.p in (4915112345, 1)
select count(*) from customers where phone = 4915112345.0
select count(*) from customers where phone = '04915112345'
select count(*) from (select phone from customers) s where s.phone > 5
select count(*) from (select phone + 1 as p from customers) s where s.p > 5
with recursive r as (select email from customers union all select email from r where false) select count(*) from r where email = 'ada@example.com'
select count(*) from (select (select email from customers where customer_id = 1) as e) s where e = 'ada@example.com'
select bool_or(email = 'ada@example.com') from customers
select count(*) filter (where email = 'ada@example.com') from customers
select sum(case when email = 'ada@example.com' then 1 else 0 end) from (select email from customers) s
select count(*) from customers a, lateral (select a.email as e) l where l.e = 'ada@example.com'
select count(*) from customers a cross join lateral (select b.email from customers b where b.customer_id = a.customer_id) l where l.email = 'ada@example.com'
select (select count(*) from generate_series(1, 1) as g(x) where email = 'ada@example.com') from customers
select (select count(*) from generate_series(1, 1) as g(x) where email like 'ada%') from customers
select count(*) from customers where exists (select 1 from generate_series(1, 1) as g(x) where email in ('ada@example.com', 'x'))
select count(*) from (select name as email, email as name from customers) s where name = 'ada@example.com'
select count(*) from (select * from (select 1 as one) t cross join customers union all select 2, c.* from customers c) s where email = 'bob@example.com'
