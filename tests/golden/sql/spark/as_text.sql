select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select to_json(amount) as value from orders;

select to_json(amount) as value from orders;

select cast(amount as string) as value from orders;
