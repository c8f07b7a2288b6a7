select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(amount as text) as value from orders;

select cast(to_jsonb(amount) as text) as value from orders;

select cast(amount as text) as value from orders;
