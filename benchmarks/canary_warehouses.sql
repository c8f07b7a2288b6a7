-- Values that nobody may see, in DuckDB and in Postgres. Each `{{name}}` becomes a text of its own that is looked for later;
-- `{{shown}}` may be seen, and has to be found.
create schema crm;
create schema rep;

create table crm.accounts as
select
    n as id,
    '{{shown}} ' || n as full_name,
    '{{email}}' || n || '@mail.example' as email,
    '{{password}}' || n as password,
    '{{notes}}' || n as notes,
    '{{nickname}}' || n as nickname,
    '{{said_by_meta}}' || n as diary,
    'DE89' || '{{iban}}' || (100000000 + n) as iban,
    'sk_' || 'live_' || '{{stripe}}' || n as setup,
    'eyJhbGciOiJIUzI1NiJ9.' || 'eyJzdWIiOiIx{{jwt}}' || n || '.' || repeat('Sig9', 80) as header,
    '{{random}}' || translate(md5(cast(n as varchar)), '0123456789abcdef', 'aB3dE6gH9jK2mN5p') as nonce,
    cast({{salary}}000000 as bigint) + n * 17 as salary,
    case when n % 3 = 0 then 'gold' when n % 3 = 1 then 'silver' else 'bronze' end as tier
from (select cast(number as integer) as n from generate_series(1, 60) as numbers(number)) as numbered;

create table crm.events as
select id as event_id, id % 20 + 1 as account_id, 'opened' as kind from crm.accounts;

-- What a dbt project made as a table.
create table crm.dim_accounts as select id, md5(password) as checked, notes as remark, full_name from crm.accounts;

create view rep.renamed as select id, password as pw2, notes as remark, nickname as called, diary as d, full_name from crm.accounts;
create view rep.computed as
select
    id,
    upper(password) as a,
    md5(email) as b,
    notes || '!' as c,
    substr(password, 1, 30) as d,
    case when id > 3 then password else 'none' end as e,
    coalesce(nickname, notes) as f,
    password is null as is_missing
from crm.accounts;
create view rep.on_a_view as select pw2 as first_one, called as second_one from rep.renamed;
create view rep.with_parts as
with parts as (select id, password as part from crm.accounts), more as (select id, part || '' as piece from parts)
select id, piece as third_one from more;
create view rep.united as
select id, full_name as words from crm.accounts
union all
select id, notes as words from crm.accounts;
create view rep.whole as select * from crm.accounts;
create view rep.from_a_model as select id, checked as sum_of_it, remark as written from crm.dim_accounts;
create view rep.grouped as
select tier, count(*) as accounts, count(password) as held, max(password) as highest, string_agg(notes, ',') as listed
from crm.accounts
group by tier;
create view rep."Odd ""names""" as select password as "p.w", id as "the id" from crm.accounts;

comment on table crm.accounts is 'Ask {{email_in_comment}}@mail.example, or use ghp_{{token_in_comment}}012345678901234567890123456';
comment on column crm.accounts.full_name is 'Mend it by https://admin:{{password_in_comment}}@crm.example/fix';
comment on view rep.renamed is 'Made by {{email_of_view}}@mail.example';
