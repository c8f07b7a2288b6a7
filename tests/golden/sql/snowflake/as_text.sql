select cast(amount as varchar) as value from orders;

select cast(amount as varchar) as value from orders;

select cast(amount as varchar) as value from orders;

select to_char(amount, 'YYYY-MM-DD') as value from orders;

select regexp_replace(to_char(cast(amount as timestamp_ntz), 'YYYY-MM-DD HH24:MI:SS.FF6'), '[.]?0*$', '') as value from orders;

select cast(amount as varchar) as value from orders;

select cast(amount as varchar) as value from orders;

select to_json(amount) as value from orders;

select to_json(amount) as value from orders;

select cast(amount as varchar) as value from orders;
