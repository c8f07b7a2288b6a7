select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select to_json_string(amount) as value from orders;

select cast(amount as string) as value from orders;

select format('%t', amount) as value from orders;
