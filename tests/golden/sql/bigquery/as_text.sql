select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select cast(amount as string) as value from orders;

select to_json_string(amount) as value from orders;

select cast(amount as string) as value from orders;

select format('%T', amount) as value from orders;
